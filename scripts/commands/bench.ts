import { parseArgs } from "node:util";
import { findOrInstallChromium } from "../support/chromium.ts";
import { becomeNode } from "../support/replace.ts";
import { buildWebWhenChanged } from "../web-build/build.ts";

/** Measures speed, size and memory against the budgets. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { only: { type: "string" } }, strict: false });
  const needsBrowser = String(values.only ?? "browser").includes("browser");
  if (needsBrowser) {
    await buildWebWhenChanged();
  }
  const PROSA_CHROMIUM = needsBrowser ? await findOrInstallChromium() : undefined;
  await becomeNode(["bench/main.ts", ...args], { ...process.env, ...(PROSA_CHROMIUM && { PROSA_CHROMIUM }) });
}
