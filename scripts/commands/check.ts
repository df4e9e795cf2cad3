import { runChecks } from "../support/checks.ts";

/** Checks everything that can be known without running the product; `--fix` writes what can be fixed. */
export async function run(args: readonly string[]): Promise<void> {
  const failed = await runChecks({ fix: args.includes("--fix") });
  if (failed.length > 0) {
    process.exitCode = 1;
  }
}
