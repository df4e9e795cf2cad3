import { execNode } from "../support/exec.ts";
import { toolPath } from "../support/paths.ts";

/** Formats every file of the project, or the ones that are named. */
export async function run(args: readonly string[]): Promise<void> {
  const files = args.length > 0 ? args : ["."];
  const { ok } = await execNode(toolPath("prettier/bin/prettier.cjs"), ["--write", "--log-level=warn", ...files], {
    show: true,
  });
  process.exitCode = ok ? 0 : 1;
}
