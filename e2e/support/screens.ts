import type { Page } from "@playwright/test";

/** Paths of every screen that is built and that this person may open: those of their menu, on a wide screen. */
export async function screensOf(page: Page): Promise<string[]> {
  const links = page.getByRole("navigation").getByRole("link");
  await links.first().waitFor();
  return links.evaluateAll((found) => found.map((link) => link.getAttribute("href") ?? ""));
}
