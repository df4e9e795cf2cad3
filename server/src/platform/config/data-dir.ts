import { chmod, lstat, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "./config.ts";

const OWNER_ONLY = 0o700;
/** Everybody may pass through, nobody may look: root runs the embedded database as another user. */
const PASSAGE = 0o711;
const STICKY = 0o1000;
/** Nobody passes through these, whoever may pass through DATA_DIR. */
const OWN_FOLDERS = ["files", "outbox"];
/** A volume that belongs to somebody else, who gave us its group (Kubernetes, OpenShift), or knows no modes. */
const notOurs = new Set(["EPERM", "EACCES", "EROFS", "ENOTSUP"]);

/** Makes DATA_DIR and keeps it to its owner: secrets, customers' files and mails are in it. What is made later follows suit. */
export async function prepareDataDir({ dataDir, databaseUrl }: Config, log: Pick<Logger, "warn">): Promise<void> {
  const isPassage = databaseUrl === undefined && process.getuid?.() === 0;
  const widest = isPassage ? PASSAGE : OWNER_ONLY;
  // Folders above it are not ours: they are made as usual.
  const made = await mkdir(dataDir, { recursive: true });
  process.umask(0o077);
  const { mode } = await stat(dataDir);
  // One that all users share, such as /tmp, is not ours to close; one that is closed further stays so.
  if (made !== undefined || ((mode & STICKY) === 0 && (mode & 0o777 & ~widest) !== 0)) {
    await close(dataDir, made === undefined ? mode & widest : widest, log);
  }
  if (isPassage) {
    for (const name of OWN_FOLDERS) {
      await closeOwn(join(dataDir, name), log);
    }
  }
}

/** Made by a release that left it open. One that leads elsewhere, or is another user's, is not ours to close. */
async function closeOwn(folder: string, log: Pick<Logger, "warn">): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o777 & ~OWNER_ONLY) !== 0) {
    await close(folder, found.mode & OWNER_ONLY, log);
  }
}

async function close(folder: string, mode: number, log: Pick<Logger, "warn">): Promise<void> {
  await chmod(folder, mode).catch((error: NodeJS.ErrnoException) => {
    if (!notOurs.has(error.code ?? "")) {
      throw error;
    }
    log.warn({ err: error }, "DATA_DIR is open to more users than its owner, and is not ours to close");
  });
}
