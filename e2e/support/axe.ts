/** Accessibility check of a screen with axe. */
import type { Page } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";

/** Collecting what passed takes axe as long as looking. */
const only: RunOptions = { resultTypes: ["violations"] };

/** Violations of WCAG 2.1 A and AA in the light theme; only contrast in the dark one, which changes colours alone. */
export async function accessibilityViolations(page: Page, theme: "light" | "dark", within = "body"): Promise<string[]> {
  await finishTransitions(page);
  const options: RunOptions =
    theme === "dark"
      ? { ...only, runOnly: { type: "rule", values: ["color-contrast"] } }
      : {
          ...only,
          runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] },
          // Voice control needs the visible label in the accessible name; axe checks that only on request.
          rules: { "label-content-name-mismatch": { enabled: true } },
        };
  // Once in each page, and not in frames, as no screen that is looked at has any: to compile axe takes a page as long as a run of it.
  if (!(await page.evaluate(() => "axe" in globalThis))) {
    await page.evaluate(axe.source);
  }
  const violations = await page.evaluate(
    async ([context, given]) => {
      const { axe: loaded } = globalThis as unknown as { readonly axe: typeof axe };
      return (await loaded.run(context, given)).violations;
    },
    [within, options] as const,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 300)).join(", ")}`);
}

/** Another theme's colours come over some frames, what opens appears: a colour in between is nobody's contrast. */
async function finishTransitions(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const passing = () =>
      document
        .getAnimations()
        .filter(({ effect, playState }) => playState === "running" && effect?.getComputedTiming().endTime !== Infinity);
    do {
      // What was just changed begins to move with the next frame.
      await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
      // One that is cancelled has been taken off the page.
      await Promise.allSettled(passing().map(({ finished }) => finished));
    } while (passing().length > 0);
  });
}
