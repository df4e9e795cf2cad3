/** Accessibility check of a screen with axe. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** Collecting what passed takes axe as long as looking. */
const only = { resultTypes: ["violations" as const] };

/** Violations of WCAG 2.1 A and AA in the light theme; only contrast in the dark one, which changes colours alone. */
export async function accessibilityViolations(page: Page, theme: "light" | "dark", within = "body"): Promise<string[]> {
  await finishTransitions(page);
  // Legacy mode: without frames axe needs no extra page to collect its results.
  const builder = new AxeBuilder({ page })
    .setLegacyMode()
    .include(within)
    .options(
      theme === "dark"
        ? { ...only, runOnly: { type: "rule", values: ["color-contrast"] } }
        : {
            ...only,
            runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] },
            // Voice control needs the visible label in the accessible name; axe checks that only on request.
            rules: { "label-content-name-mismatch": { enabled: true } },
          },
    );
  const { violations } = await builder.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 300)).join(", ")}`);
}

/** Another theme's colours come over some frames, what opens appears: a colour in between is nobody's contrast. */
async function finishTransitions(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    // One that is cancelled has been taken off the page.
    await Promise.allSettled(passing.map(({ finished }) => finished));
  });
}
