import type { Page } from "@playwright/test";

/** Paths of every screen that this person may open: those of their menu, on a wide screen, and of the account menu. */
export async function screensOf(page: Page): Promise<string[]> {
  const links = page.getByRole("navigation").getByRole("link");
  await links.first().waitFor();
  const inMenu = await links.evaluateAll((found) => found.map((link) => link.getAttribute("href") ?? ""));
  return [...inMenu, "/todolist"];
}
