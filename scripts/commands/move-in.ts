import { becomeNode } from "../support/replace.ts";

/** Moves a database of the Whaticket family in; the server does the work. */
export async function run(args: readonly string[]): Promise<void> {
  await becomeNode(["server/src/main.ts", "move-in", ...args]);
}
