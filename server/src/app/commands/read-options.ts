import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";
import { ConfigError } from "#server/platform/config/index.ts";

/**
 * Reads the options of a command, as `parseArgs` does. Throws ConfigError with `usage` for an option that is unknown or lacks its value, and for a
 * word where none is expected: a mistyped `--no-verify`, or a destination without `--to`, would else be ignored.
 */
export function readOptions<const T extends Omit<ParseArgsConfig, "args">>(
  args: readonly string[],
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T & { args: string[] }>> {
  try {
    return parseArgs({ ...config, args: [...args] });
  } catch (cause) {
    throw new ConfigError(`${(cause as Error).message}\n${usage}`, { cause });
  }
}
