import { access, constants, mkdir } from "node:fs/promises";
import { ConfigError } from "./config.ts";

/** Why a folder cannot be made or written to, where the path, its rights or the disk are to blame. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the disk there is read-only",
  ENOSPC: "the disk there is full",
  EDQUOT: "the disk there is full",
  EEXIST: "it is a file",
  ENOTDIR: "a part of its path is a file",
  ENOENT: "a part of its path is missing",
};

/**
 * Creates a folder and its parents, as `mkdir` does, and returns the first one that was not there. Throws ConfigError, which begins with
 * `subject`, where it cannot be made. `mode` defaults to that of `mkdir`.
 */
export async function makeFolder(subject: string, folder: string, mode?: number): Promise<string | undefined> {
  return mkdir(folder, { recursive: true, ...(mode !== undefined && { mode }) }).catch((cause: unknown) => {
    throw inWords(`${subject}: ${folder} cannot be made`, cause);
  });
}

/** Throws ConfigError, which begins with `subject`, where this process may not make files in the folder. */
export async function requireWritable(subject: string, folder: string): Promise<void> {
  await access(folder, constants.W_OK | constants.X_OK).catch((cause: unknown) => {
    throw inWords(`${subject}: ${folder} cannot be written to`, cause);
  });
}

/** The error itself where neither the path nor the disk is to blame. */
function inWords(refusal: string, cause: unknown): unknown {
  const reason = reasons[(cause as NodeJS.ErrnoException).code ?? ""];
  return reason === undefined ? cause : new ConfigError(`${refusal}: ${reason}`, { cause });
}
