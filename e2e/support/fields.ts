/** Selects, and date and time fields, which are not the browser's own. */
import { expect, type Locator } from "@playwright/test";

/** Chooses by the label of the option, which may arrive after the form. */
export async function choose(select: Locator, label: string | RegExp): Promise<void> {
  await select.click();
  const option = select.page().getByRole("option", { name: label, exact: true });
  await option.click();
  await expect(option).toBeHidden();
}

/** The labels that a select offers; it is closed again. */
export async function optionsOf(select: Locator): Promise<readonly string[]> {
  await select.click();
  const options = select.page().getByRole("option");
  await expect(options.first()).toBeVisible();
  const labels = await options.allTextContents();
  await select.page().keyboard.press("Escape");
  await expect(options).toHaveCount(0);
  return labels;
}

/** Types a date, time or both, and leaves the field, which then shows what it understood. */
export async function typeWhen(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.blur();
}
