import { becomeNode } from "../support/replace.ts";

/** Looks at an installation and says what to do; the server does the work. */
export async function run(args: readonly string[]): Promise<void> {
  await becomeNode(["server/src/main.ts", "doctor", ...args]);
}
