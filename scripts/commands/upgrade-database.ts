import { becomeNode } from "../support/replace.ts";

/** Carries an embedded database of an older major version of PostgreSQL over; the server does the work. */
export async function run(args: readonly string[]): Promise<void> {
  await becomeNode(["server/src/main.ts", "upgrade-database", ...args]);
}
