import type { Logger } from "pino";

const LIBRARY = /node_modules[\\/](baileys|libsignal)[\\/]/;

let log: Logger | undefined;

/** True for an error whose first stack frame is in Baileys or libsignal. */
export function isLibraryError(reason: unknown): boolean {
  const firstFrame =
    reason instanceof Error ? reason.stack?.split("\n").find((line) => line.includes(" at ")) : undefined;
  return firstFrame !== undefined && LIBRARY.test(firstFrame);
}

/**
 * Logs unhandled rejections of Baileys instead of ending the process. Baileys sends from event handlers that it does not
 * await: when a socket closes at that moment the rejection is unhandled, and Node would end the process with all its
 * lines. Unhandled rejections of other code end the process as usual.
 */
export function surviveStrayRejections(logger: Logger): void {
  if (!log) {
    process.on("unhandledRejection", (reason) => {
      if (!isLibraryError(reason)) {
        throw reason;
      }
      log?.warn({ err: reason }, "unhandled rejection in baileys");
    });
  }
  log = logger;
}
