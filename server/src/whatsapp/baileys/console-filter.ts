/**
 * libsignal prints whole sessions, private keys included, to the console (whatsapp.md section 5, trap 10), and no
 * setting stops it. This module takes the console away from it, and from it alone: everybody else's lines come through.
 * It must be loaded before the library; `library.ts` sees to that.
 */
const METHODS = ["log", "info", "warn", "error", "debug", "trace", "dir"] as const;

type Print = (...values: unknown[]) => void;

/** Drops what is printed by code whose path matches, on the console given. */
export function silence(target: Pick<Console, (typeof METHODS)[number]>, culprit: RegExp): void {
  for (const method of METHODS) {
    const print = target[method].bind(target) as Print;
    target[method] = (...values: unknown[]) => {
      if (!culprit.test(caller())) {
        print(...values);
      }
    };
  }
}

/** The line of the stack that called the console. */
function caller(): string {
  // Error, caller, the console method, whoever called it.
  return new Error().stack?.split("\n")[3] ?? "";
}

silence(console, /[\\/]libsignal[\\/]/);
