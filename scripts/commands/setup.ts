import { becomeNode } from "../support/replace.ts";

/** Makes the operator of a production database; the server asks the questions. */
export async function run(args: readonly string[]): Promise<void> {
  await becomeNode(["server/src/main.ts", "setup", ...args]);
}
