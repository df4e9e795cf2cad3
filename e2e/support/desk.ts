/** Actions of a user at the desk. */
import { expect, type Locator, type Page } from "@playwright/test";
import { password, type Account } from "./api.ts";

export async function signIn(page: Page, { email }: Pick<Account, "email">): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("textbox", { name: "Senha" }).fill(password);
  await page.getByRole("button", { name: "Entrar" }).click();
  await expect(page).toHaveURL(/\/tickets$/);
}

/** The row of a contact in the list that is shown; a narrow screen shortens the name and keeps the whole as a title (T-04). */
export function row(page: Page, name: string): Locator {
  const rows = page.getByTestId("ticket-list").getByRole("listitem");
  return rows.filter({ hasText: name }).or(rows.filter({ has: page.getByTitle(name, { exact: true }) }));
}

/** The waiting list with its newest row on top: journeys share a company, and only visible rows are in the DOM. */
export async function showWaiting(page: Page): Promise<void> {
  await page.getByRole("tab", { name: /Aguardando/ }).click();
  await newestFirst(page);
}

/** Chooses by keyboard whose word is first in the waiting list, unless it was chosen before. */
export async function newestFirst(page: Page): Promise<void> {
  const order = page.getByRole("button", { name: /^Ordem:/ });
  await expect(order).toBeVisible();
  if ((await order.getAttribute("aria-label"))?.includes("mais antigas")) {
    await order.press("Enter");
    await page.getByRole("menuitem", { name: "mais recentes" }).press("Enter");
    await expect(page.getByRole("button", { name: "Ordem: mais recentes primeiro" })).toBeVisible();
  }
}

export async function showMine(page: Page): Promise<void> {
  await page.getByRole("tab", { name: /Atendendo/ }).click();
}

/** Accepts by a click, and waits for this conversation: another one may be open. */
export async function accept(page: Page, name: string): Promise<void> {
  await showWaiting(page);
  const [answer] = await Promise.all([
    page.waitForResponse((each) => each.request().method() === "PUT" && /\/tickets\/\d+$/.test(each.url()), {
      timeout: 60_000,
    }),
    acceptButton(page, name).click(),
  ]);
  const { uuid } = (await answer.json()) as { uuid: string };
  await expect(page).toHaveURL(new RegExp(`/tickets/${uuid}$`));
}

/** In the row of who waits. */
export function acceptButton(page: Page, name: string): Locator {
  return row(page, name).getByRole("button", { name: "Aceitar" });
}

/** The same with a finger, which has no hover: a tap previews, and the preview accepts. */
export async function acceptByTouch(page: Page, name: string): Promise<void> {
  await showWaiting(page);
  await row(page, name).locator("[data-main]").tap();
  await page.getByRole("button", { name: "Aceitar para responder" }).tap();
  await expect(page.getByRole("textbox", { name: "Mensagem" })).toBeVisible();
}

/** Clicks an action of the ticket: in the header where it fits, else in its menu. */
export async function clickTicketAction(page: Page, verb: "Devolver" | "Resolver"): Promise<void> {
  await expect(page.getByRole("button", { name: "Resolver" }).last()).toBeVisible();
  // after the row's own button in the list
  const direct = page.getByRole("button", { name: verb }).last();
  if (await direct.isVisible()) {
    await direct.click();
  } else {
    await page.getByRole("button", { name: "Mais opções" }).click();
    await page.getByRole("menuitem", { name: verb }).click();
  }
}

export async function write(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Mensagem" }).fill(text);
  await page.getByRole("textbox", { name: "Mensagem" }).press("Enter");
}

/** Types letter by letter without a pause, however busy the machine is. */
export async function typeQuickly(field: Locator, text: string): Promise<void> {
  await field.focus();
  await field.evaluate(
    (_, letters) => letters.forEach((letter) => document.execCommand("insertText", false, letter)),
    [...text],
  );
}

/** The bubble with this text. */
export function bubble(page: Page, text: string): Locator {
  return page.getByTestId("conversation").locator("[data-message]").filter({ hasText: text });
}

export async function chooseInBubble(page: Page, text: string, action: string): Promise<void> {
  await bubble(page, text).hover();
  await bubble(page, text).getByRole("button", { name: "Ações da mensagem" }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

/** Switches the language in the account menu. */
export async function switchLanguage(page: Page, language: "Português" | "English" | "Español"): Promise<void> {
  await page
    .locator("header")
    .getByRole("button", { name: /Minha conta|My account|Mi cuenta/ })
    .click();
  await page.getByRole("menuitem", { name: language }).click();
}
