import type { Logger } from "pino";

const LIBRARY = /node_modules[\\/](baileys|libsignal)[\\/]/;

let log: Logger | undefined;

/** Did this error begin inside the library? */
export function isOfTheLibrary(reason: unknown): boolean {
  const firstFrame =
    reason instanceof Error ? reason.stack?.split("\n").find((line) => line.includes(" at ")) : undefined;
  return firstFrame !== undefined && LIBRARY.test(firstFrame);
}

/**
 * Baileys sends from event handlers that nobody awaits: when a socket closes in that moment the rejection reaches
 * nobody, and Node would end the process with all its lines. Those are noted; anybody else's end the process as ever.
 */
export function surviveStrayRejections(logger: Logger): void {
  if (!log) {
    process.on("unhandledRejection", (reason) => {
      if (!isOfTheLibrary(reason)) {
        throw reason;
      }
      log?.warn({ err: reason }, "the WhatsApp library let an error go unhandled");
    });
  }
  log = logger;
}
