import { becomeNode } from "../support/replace.ts";

/** Exports or imports a company; the server does the work. */
export async function run(args: readonly string[]): Promise<void> {
  await becomeNode(["server/src/main.ts", "company", ...args]);
}
