import { findOrInstallChromium } from "../support/chromium.ts";
import { becomeNode } from "../support/replace.ts";
import { buildWebWhenChanged } from "../web-build/build.ts";

/** Takes the screenshots of the documentation in a real browser. */
export async function run(args: readonly string[]): Promise<void> {
  const chromium = await findOrInstallChromium();
  await buildWebWhenChanged();
  await becomeNode(["e2e/screenshots.ts", ...args], { ...process.env, PROSA_CHROMIUM: chromium });
}
