/** What a person does by keyboard alone. */
import { expect, type Locator, type Page } from "@playwright/test";
import { newestFirst, row } from "./desk.ts";

/** Presses Tab until this has the focus; fails when Tab does not reach it. */
export async function tabTo(page: Page, target: Locator, most = 60, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  // Before the screen has it, Tab goes around what is there.
  await expect(target.first()).toBeAttached();
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press(key);
    if ((await page.locator(":focus").and(target).count()) > 0) {
      return;
    }
  }
  await expect(target).toBeFocused();
}

/** Opens the waiting list by keyboard and accepts this contact's ticket. */
export async function acceptByKeys(page: Page, name: string): Promise<void> {
  const waiting = page.getByRole("tab", { name: /Aguardando/ });
  const chosen = page.getByRole("tab", { name: /Atendendo|Aguardando/ }).and(page.locator("[aria-selected=true]"));
  await tabTo(page, chosen);
  if (!(await waiting.evaluate((tab) => tab === document.activeElement))) {
    await page.keyboard.press("ArrowRight");
  }
  await expect(waiting).toBeFocused();
  await newestFirst(page);
  await expect(row(page, name)).toBeVisible();
  await stepTo(page, name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "Mensagem" })).toBeFocused();
}

/** Tabs into the list and steps down to the row of this contact. */
export async function stepTo(page: Page, name: string): Promise<void> {
  const target = row(page, name).locator("[data-main]");
  await tabTo(page, page.getByTestId("ticket-list").locator("[data-main][tabindex='0']"));
  await page.keyboard.press("Home");
  for (let steps = 0; steps < 40 && (await page.locator(":focus").and(target).count()) === 0; steps += 1) {
    await page.keyboard.press("j");
  }
  await expect(target).toBeFocused();
}

/** Keys in a page: the palette, the bubbles of the open conversation, and dialogs. */
export function keysOf(page: Page) {
  const { keyboard } = page;
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) {
      await keyboard.press(key);
    }
  };
  const message = page.getByRole("textbox", { name: "Mensagem" });
  const palette = async (text: string) => {
    await press("Control+k");
    await expect(page.getByRole("combobox", { name: /^Buscar/ })).toBeFocused();
    await keyboard.type(text);
    await expect(page.getByRole("option").first()).toBeVisible();
    await press("Enter");
  };
  /** From the composer back to the conversation, which is one tab stop, and up to a bubble. */
  const focusBubble = async (text: string) => {
    const bubbles = page.getByTestId("conversation").getByRole("article");
    await message.focus();
    await tabTo(page, bubbles, 8, "Shift+Tab");
    await press("End");
    for (let presses = 0; presses < 20; presses += 1) {
      if (
        (await page
          .locator(":focus")
          .and(bubbles.filter({ hasText: text }))
          .count()) > 0
      ) {
        return;
      }
      await press("ArrowUp");
    }
    await expect(bubbles.filter({ hasText: text })).toBeFocused();
  };
  /** From the composer back to a bubble's menu, and to one of its actions. */
  const inBubble = async (text: string, action: string) => {
    await focusBubble(text);
    await press("Enter");
    const item = page.getByRole("menuitem", { name: action });
    const focused = () => page.locator(":focus").evaluate(({ role, id }) => `${role} ${id}`);
    await expect.poll(focused).toMatch(/^menuitem/);
    // Once around: six reactions and at most six actions.
    for (
      let presses = 0;
      presses < 12 && !(await item.evaluate((one) => one === document.activeElement));
      presses += 1
    ) {
      const before = await focused();
      await press("ArrowDown");
      // on a busy machine the focus follows the key a frame later
      await expect.poll(focused).not.toBe(before);
    }
    await expect(item).toBeFocused();
    await press("Enter");
  };

  /** The first Escape may close a list within the dialog. */
  const closeDialog = () =>
    expect(async () => {
      await press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden({ timeout: 2_000 });
    }).toPass({ timeout: 20_000 });
  return { press, palette, focusBubble, inBubble, closeDialog };
}
