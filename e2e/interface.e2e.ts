import type { Locator, Page } from "@playwright/test";
import {
  accept,
  acceptByTouch,
  bubble,
  chooseInBubble,
  clickTicketAction,
  row,
  showMine,
  showWaiting,
  switchLanguage,
  write,
} from "./support/desk.ts";
import { tickets } from "@prosa/contract";
import { addCustomer, createQueue, createUser, ticketOf, uniqueName } from "./support/api.ts";
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

test("the menu is 240 px above 1200 px, a rail of 56 px below, over the page under 600 px (S-01)", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Eva"), { profile: "admin" }));
  const menu = page.getByRole("navigation", { name: "Menu principal" });
  const menuWidth = () => menu.evaluate((nav) => nav.parentElement!.getBoundingClientRect().width);
  for (const [width, wanted] of [
    [1280, 240],
    [1100, 56],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(menuWidth).toBe(wanted);
  }
  await menu.getByRole("link", { name: "Contatos", exact: true }).focus();
  await expect(page.getByRole("tooltip", { name: "Contatos" })).toBeVisible();
  for (const width of [500, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(menu).toBeHidden();
  }
  await page.getByRole("button", { name: "Abrir menu" }).click();
  await expect(menu).toBeVisible();
  await menu.getByRole("link", { name: "Conexões" }).click();
  await expect(page).toHaveURL(/\/connections$/);
  await expect(menu).toBeHidden();
});

test("the menu gives its room to a conversation, and takes it back; the contact's data lie over it below 1440 px (S-01, C-06)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Rita")), { width: 1440 });
  const boxWidth = (of: Locator) => of.evaluate((element) => Math.round(element.getBoundingClientRect().width));
  // also while a drawer over the page hides it from screen readers
  const menu = page.getByRole("navigation", { name: "Menu principal", includeHidden: true });
  const menuWidth = () => boxWidth(menu.locator(".."));
  const pane = page.getByTestId("conversation");
  const contact = page.getByRole("complementary", { name: "Contato" });

  await expect.poll(menuWidth).toBe(240);
  await customer.says("Cabe tudo na tela?");
  await accept(page, customer.name);
  // list, conversation and contact need the room
  await expect(contact).toBeVisible();
  await expect.poll(menuWidth).toBe(56);
  expect(await boxWidth(pane)).toBeGreaterThanOrEqual(560);

  // opened there, it lies over the page until something is chosen
  await page.getByRole("button", { name: "Abrir menu" }).click();
  await expect(page.getByRole("dialog").getByRole("link", { name: "Contatos", exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();

  await contact.getByRole("button", { name: "Fechar" }).click();
  await expect.poll(menuWidth).toBe(240);

  await page.setViewportSize({ width: 1366, height: 768 });
  await page
    .getByRole("button", { name: /^Dados de/ })
    .last()
    .click();
  await expect(page.getByRole("dialog", { name: "Contato" })).toBeVisible();
  await expect.poll(menuWidth).toBe(240);
  await page.keyboard.press("Escape");

  await page.setViewportSize({ width: 1000, height: 768 });
  await expect.poll(menuWidth).toBe(56);
  expect(await boxWidth(pane)).toBeGreaterThanOrEqual(560);
});

test("a phone shows nothing but the conversation, most of it above its keyboard, and goes back to the list (T-01, S-11)", async ({
  at,
  admin,
  line,
}) => {
  const customer = await addCustomer(admin, line, uniqueName("Maximiliana do Sul"));
  await customer.says("Estou no ônibus");
  const { id } = await ticketOf(admin, customer.name);
  const queueId = await createQueue(admin, uniqueName("Atendimento ao consumidor"), "#5b2a86");
  await admin.call(tickets.update, { params: { id }, body: { status: "pending", queueId, userId: null } });
  const page = await at(await createUser(admin, uniqueName("Dona"), { queueIds: [queueId] }), {
    width: 360,
    hasTouch: true,
  });
  await page.setViewportSize({ width: 360, height: 640 });
  await acceptByTouch(page, customer.name);
  await expect(bubble(page, "Estou no ônibus")).toBeVisible();

  await expect(page.getByRole("banner").getByText("Olá,")).toBeHidden();
  await expect(page.getByRole("tab", { name: "Atendimentos" })).toBeHidden();
  expect(await widthOf(page)).toBeLessThanOrEqual(360);
  // 16 letters of the name
  const name = page.getByTitle(customer.name, { exact: true }).last();
  expect((await name.boundingBox())!.width).toBeGreaterThanOrEqual(130);
  // the queue's name gives its room to how long the customer waits
  const header = (await page.getByRole("button", { name: /Atendimento ao consumidor/ }).boundingBox())!;
  const waits = (await page
    .getByText(/^espera /)
    .last()
    .boundingBox())!;
  expect(waits.x + waits.width).toBeLessThanOrEqual(header.x + header.width);

  // the page shrinks by the keyboard's height
  await page.setViewportSize({ width: 360, height: 400 });
  await page.getByRole("textbox", { name: "Mensagem" }).focus();
  await expect
    .poll(async () => (await page.getByTestId("conversation").boundingBox())!.height)
    .toBeGreaterThanOrEqual(300);

  await page.setViewportSize({ width: 360, height: 640 });

  await page.getByRole("button", { name: "Voltar" }).click();
  await expect(page.getByRole("tab", { name: "Atendimentos" })).toHaveAttribute("aria-selected", "true");
});

test("on a narrow screen list and conversation are two tabs, and neither is wider than the screen (T-01, S-11)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Bia"), { profile: "admin" }));
  await page.setViewportSize({ width: 768, height: 800 });
  await expect(page.getByRole("tab", { name: "Atendimentos" })).toHaveAttribute("aria-selected", "true");
  await customer.says("Cabe no telefone?");
  await accept(page, customer.name);
  await expect(page.getByRole("tab", { name: "Ticket" })).toHaveAttribute("aria-selected", "true");
  await expect(bubble(page, "Cabe no telefone?")).toBeVisible();
  expect(await widthOf(page)).toBeLessThanOrEqual(768);

  await page.getByRole("tab", { name: "Atendimentos" }).click();
  await showWaiting(page);

  // a window that changes its width closes nothing that is asked
  await page.getByRole("button", { name: "Nova conversa" }).click();
  const form = page.getByRole("dialog", { name: "Nova conversa" });
  await expect(form).toBeVisible();
  await page.setViewportSize({ width: 1366, height: 800 });
  await expect(page.getByRole("tab", { name: "Ticket", includeHidden: true })).toHaveCount(0);
  await expect(form).toBeVisible();
  await page.setViewportSize({ width: 768, height: 800 });
  await expect(page.getByRole("tab", { name: "Ticket", includeHidden: true })).toHaveCount(1);
  await expect(form).toBeVisible();
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

test("Arabic and Hebrew begin at the right where they are written and where they are read (M-03)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Nur")));
  await customer.says("كم السعر؟");
  await accept(page, customer.name);
  const field = page.getByRole("textbox", { name: "Mensagem" });
  await chooseInBubble(page, "كم السعر؟", "Responder");
  await field.fill("90 ريال");
  await expect(field).toHaveCSS("direction", "rtl");
  await field.press("Enter");
  const answer = bubble(page, "90 ريال");
  await expect(answer.getByText("كم السعر؟")).toHaveCSS("unicode-bidi", "plaintext");
  await page.getByRole("tab", { name: "Nota" }).click();
  const note = page.getByRole("textbox", { name: "Nota para a equipe" });
  await note.fill("زبون قديم");
  await expect(note).toHaveCSS("direction", "rtl");
  await note.press("Enter");
  await expect(page.getByTestId("conversation").getByText("زبون قديم")).toHaveCSS("unicode-bidi", "plaintext");
  await showMine(page);
  await expect(row(page, customer.name).getByTitle(customer.name, { exact: true })).toHaveCSS(
    "unicode-bidi",
    "plaintext",
  );
});

test("a screen reader hears what the customer writes meanwhile, and nothing when the conversation is opened or scrolled (S-11)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Iara")));
  await customer.says("Bom dia!");
  await accept(page, customer.name);
  await expect(bubble(page, "Bom dia!")).toBeVisible();
  await expect(page.getByRole("log")).toHaveAttribute("aria-live", "off");
  const told = page.getByTestId("arrivals");
  await expect(told).toBeEmpty();
  await write(page, "Bom dia, em que posso ajudar?");
  await customer.says("Chegou?");
  await expect(told.locator("p")).toHaveText([/^.+Chegou\?$/u]);
  await customer.says("Chegou?");
  await expect(told.locator("p")).toHaveCount(2);
});

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
