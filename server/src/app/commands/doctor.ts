import type { Finding } from "@prosa/contract";
import { examine } from "../doctor/index.ts";
import { readOptions } from "./read-options.ts";
import { runCommand } from "./run-command.ts";
import { printLine } from "./terminal.ts";

const marks: Readonly<Record<Finding["state"], string>> = { good: "ok ", doubtful: "?  ", bad: "BAD" };

/**
 * `npm run doctor`: one line for each thing that an installation needs, with what to do where it lacks. Ends with 1 if something is bad.
 * As each start does, it brings the schema to this release.
 * Settings that cannot be used, and a database that does not answer or admits nobody, end it with their own sentence before.
 * Throws ConfigError for any word after it.
 */
export async function runDoctor(args: readonly string[]): Promise<void> {
  readOptions(args, "npm run doctor", {});
  await runCommand({}, async ({ config, db }) => {
    const findings = await examine(config, db);
    for (const { state, subject, found, remedy } of findings) {
      printLine(`${marks[state]}  ${subject.padEnd(17)} ${found}${remedy === undefined ? "" : `. ${remedy}`}`);
    }
    if (findings.some(({ state }) => state === "bad")) {
      process.exitCode = 1;
    }
  });
}
