import { spawn } from "node:child_process";
import { findFfmpeg } from "./find.ts";

const MOST_WORDS = 2_000;

/** It is not here, does not know the file, or took too long. */
export class FfmpegError extends Error {
  override readonly name = "FfmpegError";
  readonly isTooLong: boolean;

  constructor(
    message: string,
    { isTooLong = false, ...options }: ErrorOptions & { readonly isTooLong?: boolean } = {},
  ) {
    super(message, options);
    this.isTooLong = isTooLong;
  }
}

export interface FfmpegRun {
  /** Everything after the global options, each its own: no shell reads them. */
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  readonly onOutput: (bytes: Buffer) => void;
  /** After so long it is killed. */
  readonly mostMs: number;
}

/**
 * Runs ffmpeg on files of strangers: without our environment, with one thread, with nothing to ask of the network, and
 * not for long. Rejects with FfmpegError, or with the signal's reason.
 */
export async function runFfmpeg({ args, signal, onOutput, mostMs }: FfmpegRun): Promise<void> {
  const program = await findFfmpeg();
  if (program === undefined) {
    throw new FfmpegError("There is no ffmpeg on this machine");
  }
  const { PATH = "", SystemRoot = "" } = process.env;
  const child = spawn(program, ["-nostdin", "-hide_banner", "-loglevel", "error", "-threads", "1", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH, SystemRoot },
    windowsHide: true,
    timeout: mostMs,
    killSignal: "SIGKILL",
    signal,
  });
  let words = "";
  child.stdout.on("data", onOutput);
  child.stderr.on("data", (chunk: Buffer) => {
    words = `${words}${chunk.toString()}`.slice(-MOST_WORDS);
  });
  await new Promise<void>((resolve, reject) => {
    child.once("error", (cause) => {
      reject(signal.aborted ? (signal.reason as Error) : new FfmpegError("ffmpeg did not start", { cause }));
    });
    child.once("close", (code, killedBy) => {
      if (code === 0) {
        resolve();
      } else {
        const reason = killedBy === null ? words.trim() || `exit ${code}` : `ended by ${killedBy}`;
        reject(new FfmpegError(reason, { isTooLong: child.killed }));
      }
    });
  });
}
