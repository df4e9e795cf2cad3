/**
 * libsignal prints whole sessions, private keys included, to the console (whatsapp.md section 5, trap 10), and has no
 * option against it. This filter drops console output of libsignal only. It must be loaded before the library;
 * `library.ts` sees to that.
 */
const METHODS = ["log", "info", "warn", "error", "debug", "trace", "dir"] as const;

type Print = (...values: unknown[]) => void;

/** Drops console output of code whose path matches `callerPath`. */
export function filterConsole(target: Pick<Console, (typeof METHODS)[number]>, callerPath: RegExp): void {
  for (const method of METHODS) {
    const print = target[method].bind(target) as Print;
    target[method] = (...values: unknown[]) => {
      if (!callerPath.test(caller())) {
        print(...values);
      }
    };
  }
}

/** The stack line of the code that called the console. */
function caller(): string {
  // Lines: Error, caller(), the console method, the code that called it.
  return new Error().stack?.split("\n")[3] ?? "";
}

filterConsole(console, /[\\/]libsignal[\\/]/);
