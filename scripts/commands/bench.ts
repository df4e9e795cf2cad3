import { becomeNode } from "../support/replace.ts";

/** Measures speed, size and memory against the budgets. */
export async function run(args: readonly string[]): Promise<void> {
  await becomeNode(["bench/main.ts", ...args]);
}
