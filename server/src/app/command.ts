import { ConfigError } from "#server/platform/config/index.ts";
import { openMachinery, unlessAborted } from "./machinery.ts";
import type { MachineryWishes, OpenMachinery } from "./machinery.ts";

/** What a command does beside the server. A signal ends it as an error does: no database that it started is left. */
export async function runCommand(
  wishes: Omit<MachineryWishes, "isCommand" | "signal">,
  work: (machinery: OpenMachinery) => Promise<void>,
): Promise<void> {
  const ended = new AbortController();
  const end = (signal: string) => ended.abort(new ConfigError(`Ended by ${signal}.`));
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  const { signal } = ended;
  const machinery = await openMachinery({ ...wishes, isCommand: true, signal });
  try {
    await unlessAborted(signal, work(machinery));
  } finally {
    await machinery.close({ hasFailed: signal.aborted });
  }
}
