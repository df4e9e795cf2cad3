import { becomeNode } from "../support/replace.ts";

/** The long form of the crash test: kill -9 of the server under load, then count every message. */
export async function run(args: readonly string[]): Promise<void> {
  await becomeNode(["e2e/storm.ts", ...args]);
}
