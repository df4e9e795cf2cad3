/** What can be known about the code without running the product? */
import { join } from "node:path";
import { execNode, inTurns } from "./exec.ts";
import { cache, toolPath } from "./paths.ts";

interface Check {
  readonly name: string;
  readonly command: readonly [script: string, ...args: string[]];
  /** Arguments that make the tool write what it can fix. */
  readonly fix?: readonly string[];
}

const checks: readonly Check[] = [
  { name: "lint", command: [toolPath("oxlint/bin/oxlint"), "--type-aware", "--deny-warnings"], fix: ["--fix"] },
  { name: "format", command: [...prettier(), "--check", "."], fix: ["--write"] },
  { name: "types", command: [toolPath("@typescript/native/bin/tsc"), "-b", "--pretty", "false"] },
  { name: "architecture", command: ["scripts/architecture/check.ts"], fix: ["--fix"] },
  { name: "licences", command: ["scripts/licences/check.ts"], fix: ["--fix"] },
  { name: "dead code", command: [toolPath("knip/bin/knip.js"), "--no-progress"] },
];

/** Two at a time: type checking and type-aware lint use several threads of their own. */
const AT_ONCE = 2;

/** Runs every check, prints one line for each and the output of those that failed; returns the names of these. */
export async function runChecks({ fix = false } = {}): Promise<string[]> {
  const failed: string[] = [];
  const env = { ...process.env, NO_COLOR: "1" }; // the output is collected, and some tools colour it all the same

  await inTurns(
    fix ? 1 : AT_ONCE, // two tools that write the same file would undo each other's work
    checks.map((check) => async () => {
      const [script, ...args] = check.command;
      const { ok, output, seconds } = await execNode(script, [...args, ...((fix && check.fix) || [])], { env });

      console.log(`${ok ? "ok    " : "FAILED"}  ${check.name.padEnd(13)} ${seconds.toFixed(1).padStart(6)} s`);
      if (!ok) {
        failed.push(check.name);
        console.log(`${output.trim()}\n`);
      }
    }),
  );

  return failed;
}

function prettier(): [script: string, ...args: string[]] {
  const cacheFile = join(cache, "prettier", "cache.json");
  return [toolPath("prettier/bin/prettier.cjs"), "--log-level=warn", "--cache", "--cache-location", cacheFile];
}
