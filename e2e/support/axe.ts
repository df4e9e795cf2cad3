/** What a screen is, to somebody who cannot see it, or sees it badly. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** What breaks WCAG 2.1 A or AA in the light theme; in the dark one, which changes colours only, what cannot be read. */
export async function faults(page: Page, theme: "light" | "dark", within = "body"): Promise<string[]> {
  // There are no frames here, for whose sake axe would gather what it found in a page of its own.
  const builder = new AxeBuilder({ page })
    .setLegacyMode()
    .include(within)
    .options(
      theme === "dark"
        ? { runOnly: { type: "rule", values: ["color-contrast"] } }
        : {
            runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] },
            // Whoever steers by voice says what is written on a button. Axe leaves this out unless it is asked.
            rules: { "label-content-name-mismatch": { enabled: true } },
          },
    );
  const { violations } = await builder.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 300)).join(", ")}`);
}
