import { becomeNode } from "../support/replace.ts";

/** Gives somebody a new password; the server asks for it. */
export async function run(args: readonly string[]): Promise<void> {
  await becomeNode(["server/src/main.ts", "reset-password", ...args]);
}
