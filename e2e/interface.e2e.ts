import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { accept, bubble, showWaiting, speak } from "./support/desk.ts";
import { called, hire } from "./support/api.ts";
import { expect, test } from "./support/journey.ts";
import { screensOf } from "./support/screens.ts";

test("three languages without a reload, and no raw key on any screen (S-08)", async ({ at, admin }) => {
  const page = await at(await hire(admin, called("Gil"), { profile: "admin" }));
  const menuOf = { Português: "Conexões", English: "Connections", Español: "Conexiones" } as const;
  await page.evaluate(() => Object.assign(window, { wasNotReloaded: true }));

  for (const language of ["English", "Español", "Português"] as const) {
    await speak(page, language);
    await expect(page.getByRole("link", { name: menuOf[language], exact: true })).toBeVisible();
    expect(await page.evaluate(() => "wasNotReloaded" in window)).toBe(true);
  }
  for (const path of await screensOf(page)) {
    await open(page, path);
    for (const language of ["English", "Español", "Português"] as const) {
      await speak(page, language);
      expect(await rawKeys(page), `${path} in ${language}`).toEqual([]);
    }
  }
});

test("the drawer is 240 px, open above 1200 px, closed below, over the page under 600 px (S-01)", async ({
  at,
  admin,
}) => {
  const page = await at(await hire(admin, called("Eva"), { profile: "admin" }));
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

test("on a narrow screen list and conversation are two tabs, and nothing is wider than the screen (T-01, S-11)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await hire(admin, called("Bia"), { profile: "admin" }));
  const paths = await screensOf(page);
  await page.setViewportSize({ width: 360, height: 800 });
  for (const path of paths) {
    await open(page, path);
    expect(await widthOf(page), path).toBeLessThanOrEqual(360);
  }

  await page.goto("/tickets");
  await expect(page.getByRole("tab", { name: "Atendimentos" })).toHaveAttribute("aria-selected", "true");
  await customer.says("Cabe no telefone?");
  await accept(page, customer.name.slice(0, 8));
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
    const page = await at(await hire(admin, called("Lin")), { width });
    await accept(page, customer.name);
    await expect(bubble(page, "A última")).toBeInViewport({ ratio: 0.9 });
  });
}

type Theme = "light" | "dark";
for (const theme of ["light", "dark"] as const satisfies Theme[]) {
  test(`every screen and dialog holds the accessibility rules in the ${theme} theme (S-11)`, async ({
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
    expect(await faults(stranger, theme)).toEqual([]);
    expect(await misnamed(stranger)).toEqual([]);
    await context.close();

    const page = await at(await hire(admin, called("Noé"), { profile: "admin" }));
    await page.evaluate((value) => localStorage.setItem("prosa.theme", value), theme);
    await customer.sendsPhoto("Veja a foto");
    await page.reload();
    await accept(page, customer.name);
    await expect(bubble(page, "Veja a foto")).toBeVisible();
    expect(await faults(page, theme)).toEqual([]);
    expect(await misnamed(page)).toEqual([]);
    for (const dialog of deskDialogs) {
      await look(page, dialog, theme);
    }
    for (const path of await screensOf(page)) {
      await open(page, path);
      expect(await faults(page, theme), path).toEqual([]);
      for (const dialog of screenDialogs.filter(({ on }) => on === path)) {
        await look(page, dialog, theme);
      }
    }
  });
}

/** What opens over a screen, and how. */
interface Opener {
  readonly name: string;
  readonly on?: string;
  readonly open: (page: Page) => Promise<unknown>;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
const inMenu = (opener: string, item: string) => async (page: Page) => {
  await page.getByRole("button", { name: opener }).first().click();
  await page.getByRole("menuitem", { name: item }).click();
};
const onFirstRow = (action: string) => async (page: Page) => {
  const row = page.getByRole("row").nth(1);
  await row.hover();
  await row.getByRole("button", { name: action }).click();
};

const deskDialogs: readonly Opener[] = [
  { name: "bell", open: press(/^Conversas não lidas/) },
  { name: "volume", open: press("Volume das notificações") },
  { name: "account menu", open: press("Minha conta") },
  { name: "profile", open: inMenu("Minha conta", "Meu perfil") },
  { name: "notifications", open: inMenu("Minha conta", "Notificações") },
  { name: "palette", open: press("Buscar telas e ações") },
  {
    name: "help",
    async open(page) {
      await page.getByTestId("conversation").click();
      await page.keyboard.press("?");
    },
  },
  { name: "new conversation", open: press("Nova conversa") },
  { name: "transfer", open: press("Transferir") },
  { name: "contact", open: press("Editar contato") },
  { name: "tags", open: press("Editar: Etiquetas") },
  { name: "variables", open: press("Variáveis") },
  { name: "more options", open: press("Mais opções") },
  {
    name: "photo",
    open: (page) => bubble(page, "Veja a foto").getByRole("img").first().click(),
  },
];

const screenDialogs: readonly Opener[] = [
  { on: "/quick-messages", name: "quick reply", open: press("Nova resposta") },
  { on: "/contacts", name: "new contact", open: press("Novo contato") },
  { on: "/contacts", name: "import", open: press("Importar contatos") },
  {
    on: "/contacts",
    name: "merge",
    open: (page) => onFirstRow("Mais ações")(page).then(() => page.getByRole("menuitem", { name: "Unir" }).click()),
  },
  { on: "/connections", name: "new line", open: press("Nova conexão") },
  { on: "/connections", name: "history of a line", open: onFirstRow("Histórico da linha") },
  { on: "/connections", name: "deleting a line", open: onFirstRow("Excluir conexão") },
  { on: "/queues", name: "new queue", open: press("Nova fila") },
  { on: "/queues", name: "bot menu", open: onFirstRow("Menu do robô") },
  { on: "/users", name: "new user", open: press("Novo usuário") },
];

/** Opens it, looks, and closes it again. */
async function look(page: Page, { name, open: show }: Opener, theme: Theme): Promise<void> {
  await show(page);
  const shown = page.locator("[role=dialog], [role=alertdialog], [role=menu]").filter({ visible: true });
  await expect(shown.first(), name).toBeVisible();
  await expect(shown.first().getByRole("progressbar")).toHaveCount(0);
  expect(await faults(page, theme), name).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(shown, name).toHaveCount(0);
}

/** A screen with its data: nothing on it is still loading. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("main")).not.toBeEmpty();
  await expect(page.getByRole("main").getByRole("progressbar")).toHaveCount(0);
}

/** What is shown although it is the name of a text and not the text: `tickets.accept`, `fail_unknown`. */
async function rawKeys(page: Page): Promise<string[]> {
  const text = await page.evaluate(() => document.body.innerText);
  return text.split(/\s+/).filter((word) => /^[a-z]+([A-Z][a-z]+)*([._][a-zA-Z]+)+$/.test(word) && !word.includes("@"));
}

function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth);
}

/** Buttons of the top bar that are not called what is written on them: who steers by voice says what they read. */
async function misnamed(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .include("header")
    .withRules(["label-content-name-mismatch"])
    .analyze();
  return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html));
}

/** What breaks WCAG 2.1 A or AA. The dark theme changes colours only, so only they are looked at a second time. */
async function faults(page: Page, theme: Theme): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .options(
      theme === "dark"
        ? { runOnly: { type: "rule", values: ["color-contrast"] } }
        : {
            runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] },
            // A row of a list is called by its name, not by all that stands in it.
            rules: { "label-content-name-mismatch": { enabled: false } },
          },
    )
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}
