import type { Page } from "@playwright/test";
import { accept, bubble, clickTicketAction, showWaiting, switchLanguage } from "./support/desk.ts";
import { uniqueName, createUser } from "./support/api.ts";
import { accessibilityViolations } from "./support/axe.ts";
import { expect, test } from "./support/journey.ts";

test("three languages without a reload (S-08)", async ({ at, admin }) => {
  const page = await at(await createUser(admin, uniqueName("Gil"), { profile: "admin" }));
  const menuOf = { Português: "Conexões", English: "Connections", Español: "Conexiones" } as const;
  await page.evaluate(() => Object.assign(window, { wasNotReloaded: true }));

  for (const language of ["English", "Español", "Português"] as const) {
    await switchLanguage(page, language);
    // A line of another journey may add a badge to the entry.
    await expect(page.getByRole("link", { name: new RegExp(`^${menuOf[language]}`) })).toBeVisible();
    expect(await page.evaluate(() => "wasNotReloaded" in window)).toBe(true);
  }
});

test("the drawer is 240 px, open above 1200 px, closed below, over the page under 600 px (S-01)", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Eva"), { profile: "admin" }));
  const menu = page.getByRole("navigation", { name: "Menu principal" });
  for (const { width, isOpen } of [
    { width: 1280, isOpen: true },
    { width: 1100, isOpen: false },
    { width: 500, isOpen: false },
    { width: 360, isOpen: false },
  ]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(menu).toBeVisible({ visible: isOpen });
  }
  await page.getByRole("button", { name: "Abrir menu" }).click();
  await expect(menu).toBeVisible();
  await menu.getByRole("link", { name: "Conexões" }).click();
  await expect(page).toHaveURL(/\/connections$/);
  await expect(menu).toBeHidden();

  await page.setViewportSize({ width: 1280, height: 800 });
  expect((await menu.boundingBox())?.width).toBeGreaterThan(200);
  expect((await menu.boundingBox())?.width).toBeLessThanOrEqual(240);
});

test("on a narrow screen list and conversation are two tabs, and neither is wider than the screen (T-01, S-11)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Bia"), { profile: "admin" }));
  await page.setViewportSize({ width: 360, height: 800 });
  await expect(page.getByRole("tab", { name: "Atendimentos" })).toHaveAttribute("aria-selected", "true");
  await customer.says("Cabe no telefone?");
  await accept(page, customer.name);
  await expect(page.getByRole("tab", { name: "Ticket" })).toHaveAttribute("aria-selected", "true");
  await expect(bubble(page, "Cabe no telefone?")).toBeVisible();
  expect(await widthOf(page)).toBeLessThanOrEqual(360);

  await page.getByRole("tab", { name: "Atendimentos" }).click();
  await showWaiting(page);
});

for (const width of [1440, 360]) {
  test(`a conversation opens at its newest message at ${width} px (M-01)`, async ({ at, admin, customer }) => {
    for (let line = 1; line <= 9; line += 1) {
      await customer.says(`Linha ${line}: ${"a mesa, as cadeiras e o prazo de entrega; ".repeat(6)}`);
    }
    await customer.sendsPhoto("A última");
    const page = await at(await createUser(admin, uniqueName("Lin")), { width });
    await accept(page, customer.name);
    await expect(bubble(page, "A última")).toBeInViewport({ ratio: 0.9 });
  });
}

for (const width of [1440, 360]) {
  test(`what went wrong is said above the composer, whose buttons stay free, at ${width} px (S-11)`, async ({
    at,
    admin,
    customer,
  }) => {
    await customer.says("Ainda está aí?");
    const page = await at(await createUser(admin, uniqueName("Lis")), { width });
    await accept(page, customer.name);
    await expect(bubble(page, "Ainda está aí?")).toBeVisible();
    await page.route(/\/tickets\/\d+$/, (route) => route.fulfill({ status: 500, json: { error: "ERR_INTERNAL" } }));
    await clickTicketAction(page, "Resolver");

    const word = page.getByRole("status").filter({ has: page.getByRole("button", { name: "Fechar" }) });
    await expect(word).toBeVisible();
    const said = await word.boundingBox();
    const field = await page.getByRole("textbox", { name: "Mensagem" }).boundingBox();
    expect(said!.y + said!.height).toBeLessThanOrEqual(field!.y);
  });
}

for (const theme of ["light", "dark"] as const) {
  test(`sign-in and a conversation hold the accessibility rules in the ${theme} theme (S-11)`, async ({
    at,
    admin,
    customer,
    browser,
    product,
  }) => {
    test.slow();
    const context = await browser.newContext({ baseURL: product.url, colorScheme: theme });
    const stranger = await context.newPage();
    await stranger.goto("/login");
    await expect(stranger.getByRole("button", { name: "Entrar" })).toBeVisible();
    expect(await accessibilityViolations(stranger, theme)).toEqual([]);
    await context.close();

    const page = await at(await createUser(admin, uniqueName("Noé"), { profile: "admin" }));
    await page.evaluate((value) => localStorage.setItem("prosa.theme", value), theme);
    await customer.sendsPhoto("Veja a foto");
    await page.reload();
    await accept(page, customer.name);
    await expect(bubble(page, "Veja a foto")).toBeVisible();
    expect(await accessibilityViolations(page, theme)).toEqual([]);
  });
}

function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth);
}
