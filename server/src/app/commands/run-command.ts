import { ConfigError } from "#server/platform/config/index.ts";
import { openDatabaseServer, openInfrastructure, unlessAborted } from "../startup/index.ts";
import type { DatabaseServer, InfrastructureOptions, OpenInfrastructure } from "../startup/index.ts";

type CommandOptions = Omit<InfrastructureOptions, "isCommand" | "signal">;

/** Runs a command beside the server. A signal ends it like an error: an embedded database that it started is stopped. */
export function runCommand(
  options: CommandOptions,
  work: (infrastructure: OpenInfrastructure) => Promise<void>,
): Promise<void> {
  return untilSignal(async (signal) => {
    const infrastructure = await openInfrastructure({ ...options, isCommand: true, signal });
    try {
      await unlessAborted(signal, work(infrastructure));
    } finally {
      await infrastructure.close({ hasFailed: signal.aborted });
    }
  });
}

/** The same for a command that needs the server of the database only, whatever is in it. */
export function runOnDatabaseServer(
  options: CommandOptions,
  work: (server: DatabaseServer) => Promise<void>,
): Promise<void> {
  return untilSignal(async (signal) => {
    const server = await openDatabaseServer({ ...options, isCommand: true, signal });
    try {
      await unlessAborted(signal, work(server));
    } finally {
      await server.stop(signal.aborted);
    }
  });
}

async function untilSignal(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const ended = new AbortController();
  const end = (signal: string) => ended.abort(new ConfigError(`Ended by ${signal}.`));
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  await work(ended.signal);
}
