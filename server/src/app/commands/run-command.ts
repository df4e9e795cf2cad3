import { ConfigError } from "#server/platform/config/index.ts";
import { openInfrastructure, unlessAborted } from "../startup/index.ts";
import type { InfrastructureOptions, OpenInfrastructure } from "../startup/index.ts";

/** Runs a command beside the server. A signal ends it like an error: an embedded database that it started is stopped. */
export async function runCommand(
  options: Omit<InfrastructureOptions, "isCommand" | "signal">,
  work: (infrastructure: OpenInfrastructure) => Promise<void>,
): Promise<void> {
  const ended = new AbortController();
  const end = (signal: string) => ended.abort(new ConfigError(`Ended by ${signal}.`));
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  const { signal } = ended;
  const infrastructure = await openInfrastructure({ ...options, isCommand: true, signal });
  try {
    await unlessAborted(signal, work(infrastructure));
  } finally {
    await infrastructure.close({ hasFailed: signal.aborted });
  }
}
