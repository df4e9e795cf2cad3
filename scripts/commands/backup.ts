import { becomeNode } from "../support/replace.ts";

/** Writes a backup of the installation; the server does the work. */
export async function run(args: readonly string[]): Promise<void> {
  await becomeNode(["server/src/main.ts", "backup", ...args]);
}
