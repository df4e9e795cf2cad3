import { becomeNode } from "../support/replace.ts";
import { buildWebWhenChanged } from "../web-build/build.ts";

/** Runs Prosa from its sources; the web app is built first when it is not the one that the sources describe. */
export async function run(args: readonly string[]): Promise<void> {
  await buildWebWhenChanged();
  await becomeNode(["server/src/main.ts", ...args]);
}
