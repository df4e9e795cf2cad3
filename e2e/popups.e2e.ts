/** How menus, popovers, questions and dialogs behave: before their code is there, by keyboard, one over another, on a phone. */
import { setTimeout } from "node:timers/promises";
import { tags, tickets } from "@prosa/contract";
import { uniqueName, createUser, ticketOf } from "./support/api.ts";
import { backInHistory, backOfAndroid, keepLastWatcher } from "./support/back.ts";
import { accept, acceptByTouch, bubble } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";

test("a click on a menu's button is heard before the menu's code is there (Z-01, S-11)", async ({ at, admin }) => {
  const page = await at(await createUser(admin, uniqueName("Ivo")));
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
  await page.route(/assets\/popups-.*\.js$/, async (route) => {
    await arrival;
    await route.continue();
  });
  await page.goto("/tickets");
  await expect(page.getByRole("tab", { name: /^Atendendo/ })).toBeVisible();
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  const account = page.getByRole("button", { name: "Minha conta" });
  await account.click();
  await expect(account).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("progressbar", { name: "Abrindo" })).toBeVisible();

  arrive();
  // the chosen one of a menu with a choice
  await expect(page.getByRole("menuitem", { name: "Português" })).toBeFocused();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Meu perfil" })).toBeVisible();
});

test("a menu by keyboard: letters find its entries and nothing else, and the focus comes back to its button (Z-01, S-11)", async ({
  at,
  admin,
  customer,
}) => {
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  const page = await at(await createUser(admin, uniqueName("Ema"), { profile: "admin" }), {
    prepare: (context) =>
      context.route(/assets\/Composer-.*\.js$/u, async (route) => {
        await written;
        await route.continue();
      }),
  });
  const composer = page.getByPlaceholder("Escreva uma mensagem");
  await customer.says("Oi!");
  await accept(page, customer.name);
  const { uuid } = await ticketOf(admin, customer.name);
  const more = page.getByRole("button", { name: "Mais opções" });

  // "e" resolves a conversation, "t" transfers it: not while a menu is open
  await more.press("Enter");
  const first = page.getByRole("menu").getByRole("menuitem").first();
  await expect(first).toBeFocused();
  // nor when the composer comes that is to have the focus of a conversation that was accepted
  write();
  await expect(composer).toBeVisible();
  await page.keyboard.press("e");
  await expect(page.getByRole("menuitem", { name: /^E/ }).first()).toBeFocused();
  await page.keyboard.press("Home");
  await expect(first).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("menu").getByRole("menuitem").last()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(more).toBeFocused();
  expect(await ticketOf(admin, customer.name)).toMatchObject({ uuid, status: "open" });

  // a dialog that came from a menu gives the focus back to the menu's button
  await more.press("Enter");
  await page.keyboard.press("a");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(more).toBeFocused();

  // what opened last keeps the focus: the composer of a conversation that is reopened behind the palette waits for it
  const { id } = await ticketOf(admin, customer.name);
  await admin.call(tickets.update, { params: { id }, body: { status: "closed" } });
  const { promise: reopened, resolve: reopen } = Promise.withResolvers<void>();
  await page.route(/\/tickets\/\d+$/u, async (route) => {
    await reopened;
    await route.continue();
  });
  await page.getByRole("button", { name: "Reabrir" }).last().press("Enter");
  // as a moment after a popup has closed, because a button that is busy has lost the focus
  await page.locator("#content").focus();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Buscar em tudo" });
  await expect(field).toBeFocused();
  reopen();
  await expect(composer).toBeVisible();
  await page.keyboard.type("tema");
  await expect(field).toHaveValue("tema");
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(composer).toBeFocused();
  await expect(composer).toHaveValue("");
});

test("a question over a form is answered first: Escape and a press beside it close only the question (Z-01, E-03)", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Lia"), { profile: "admin" }));
  await page.goto("/quick-messages");
  const opener = page.getByRole("button", { name: "Nova resposta" }).first();
  await opener.press("Enter");
  const form = page.getByRole("dialog", { name: "Nova resposta" });
  const field = form.getByRole("textbox").first();
  await expect(field).toBeFocused();
  await page.keyboard.type("bomdia");

  const question = page.getByRole("alertdialog", { name: "Descartar as alterações?" });
  for (const close of [() => page.keyboard.press("Escape"), () => page.mouse.click(20, 400)]) {
    await close();
    await expect(question.getByRole("button", { name: "Cancelar" })).toBeFocused();
    await close();
    await expect(question).toBeHidden();
    await expect(field).toBeFocused();
    await expect(field).toHaveValue("bomdia");
  }

  // text is marked with the mouse, and the button released beside the dialog
  const box = (await field.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(20, 400, { steps: 4 });
  await page.mouse.up();
  await expect(question).toBeHidden();

  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Descartar" }).click();
  await expect(form).toBeHidden();
  await expect(opener).toBeFocused();

  // the palette leaves the screen, and with it the form, only after the same question
  await opener.press("Enter");
  await page.keyboard.type("boatarde");
  const leave = async (way: string) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Buscar em tudo" }).fill(way);
    await page
      .getByRole("option", { name: new RegExp(`^${way}`, "u") })
      .first()
      .click();
    await expect(question).toBeVisible();
  };
  for (const way of ["Contatos", "Recarregar", "Sair"]) {
    await leave(way);
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden();
    await expect(field).toHaveValue("boatarde");
  }
  await leave("Contatos");
  await question.getByRole("button", { name: "Descartar" }).click();
  await expect(page).toHaveURL("/contacts");
});

test("on a phone a menu stays inside the window, its entries fit a finger, and a long form keeps its tabs in view (Z-01, S-11)", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Gil"), { profile: "admin" }), {
    width: 360,
    hasTouch: true,
  });
  await page.setViewportSize({ width: 360, height: 640 });
  await page.getByRole("button", { name: "Minha conta" }).tap();
  const menu = page.getByRole("menu");
  await expect(menu).toBeVisible();
  const panel = (await menu.locator("xpath=..").boundingBox())!;
  expect(panel.x).toBeGreaterThanOrEqual(0);
  expect(panel.y).toBeGreaterThanOrEqual(0);
  expect(panel.x + panel.width).toBeLessThanOrEqual(360);
  expect(panel.y + panel.height).toBeLessThanOrEqual(640);
  for (const entry of await menu.getByRole("menuitem").all()) {
    expect((await entry.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  }
  const volume = page.getByRole("slider", { name: "Volume das notificações" });
  await volume.press("ArrowLeft");
  await expect(volume).toHaveValue("0.9");
  await volume.press("Escape");
  await expect(menu).toBeHidden();

  await page.goto("/connections");
  await page.getByRole("button", { name: "Nova conexão" }).first().tap();
  const dialog = page.getByRole("dialog", { name: "Nova conexão" });
  await expect(dialog).toBeVisible();
  expect(await dialog.boundingBox()).toMatchObject({ x: 0, y: 0, width: 360, height: 640 });
  const tab = dialog.getByRole("tab").first();
  const before = (await tab.boundingBox())!.y;
  await dialog.getByRole("tabpanel").locator("textarea, input:not([type=hidden])").last().scrollIntoViewIfNeeded();
  await expect(tab).toBeInViewport({ ratio: 1 });
  expect(Math.abs((await tab.boundingBox())!.y - before)).toBeLessThanOrEqual(8);
});

test("a dialog whose code is slow answers the click at once, and Escape takes the click back (Z-01, S-11)", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Lia")));
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/assets/ProfileDialog*.js", async (route) => {
    await held;
    await route.continue();
  });
  const openProfile = async () => {
    await page.getByRole("button", { name: "Minha conta" }).click();
    await page.getByRole("menuitem", { name: "Meu perfil" }).click();
  };
  const opening = page.getByRole("progressbar", { name: "Abrindo" });
  await openProfile();
  await expect(opening).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(opening).toBeHidden();
  await openProfile();
  await expect(opening).toBeVisible();
  release();
  await expect(page.getByRole("dialog", { name: "Meu perfil" })).toBeVisible();
  await expect(opening).toBeHidden();
});

test("where the code of what pops up does not come, the screen stays and says so, and the next click tries again (Z-01, S-11)", async ({
  at,
  alone,
}) => {
  await alone.call(tags.create, { body: { name: "Etiqueta" } });
  let isAway = true;
  const page = await at(await createUser(alone, uniqueName("Lia"), { profile: "admin" }), {
    prepare: (context) =>
      context.route(/assets\/(?:popups|Palette)-.*\.js$/u, (route) => (isAway ? route.abort() : route.continue())),
  });
  const missed = page.waitForEvent("requestfailed", (request) => request.url().includes("/popups-"));
  await page.goto("/tags");
  await missed;
  const row = page.getByRole("row").filter({ hasText: "Etiqueta" });
  const openers = [
    [() => row.getByRole("button", { name: "Excluir" }).click(), page.getByRole("alertdialog")],
    [() => page.getByRole("button", { name: "Minha conta" }).click(), page.getByRole("menu")],
    [() => page.getByRole("button", { name: "Nova etiqueta" }).first().click(), page.getByRole("dialog")],
    [() => page.keyboard.press("Control+k"), page.getByRole("combobox", { name: "Buscar em tudo" })],
  ] as const;
  const toast = page.getByRole("status").filter({ hasText: "Não foi possível abrir." });
  for (const [open, opened] of openers) {
    await open();
    await expect(toast).toBeVisible();
    await expect(opened).toBeHidden();
    await expect(page.getByRole("progressbar", { name: "Abrindo" })).toBeHidden();
    await expect(row).toBeVisible();
    await toast.getByRole("button", { name: "Fechar" }).click();
  }

  // the network is back: nothing is kept of what failed
  isAway = false;
  for (const [open, opened] of openers) {
    await open();
    await expect(opened).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(opened).toBeHidden();
  }
});

test("a toast stays while the focus is in it, and hands the focus to the screen when it is closed (S-11, Z-01)", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Rita")));
  await page.getByRole("button", { name: "Minha conta" }).click();
  await page.getByRole("menuitem", { name: "Meu perfil" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Salvar" }).press("Enter");
  const toast = page.getByRole("status").filter({ hasText: "Perfil salvo" });
  const close = toast.getByRole("button", { name: "Fechar" });
  await close.focus();
  // longer than it is shown without the focus
  await setTimeout(4_000);
  await expect(close).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(toast).toBeHidden();
  await expect(page.getByRole("main")).toBeFocused();
});

test("Escape in a time field closes its list, then what is around it, and keeps the time (Z-01, O-03)", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Rui")));
  await page.goto("/schedules");
  await page.getByRole("button", { name: /^Agendar$/ }).click();
  const form = page.getByRole("dialog").first();
  await form.getByRole("button", { name: /Abrir calendário/ }).click();
  const time = page.getByRole("combobox", { name: "Hora" });
  await time.click();
  await time.fill("9h");
  await expect(page.getByRole("listbox").getByRole("option").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("listbox")).toBeHidden();
  await expect(time).toHaveValue("9h");
  await page.keyboard.press("Escape");
  await expect(time).toBeHidden();
  await expect(form).toBeVisible();
});

test("on a phone Back closes what is open on top, one step at a time, before it leaves the screen (Z-01, S-11)", async ({
  at,
  admin,
  customer,
}) => {
  await customer.sendsPhoto("Veja a foto");
  const page = await at(await createUser(admin, uniqueName("Bia"), { profile: "admin" }), {
    width: 360,
    hasTouch: true,
    prepare: (context) => context.addInitScript(keepLastWatcher),
  });
  const ways = [() => backInHistory(page), () => backOfAndroid(page)];
  for (const back of ways) {
    await page.goto("/tickets");
    await page.getByRole("button", { name: "Abrir menu" }).tap();
    await page.getByRole("link", { name: "Usuários" }).tap();
    await expect(page).toHaveURL(/\/users$/);
    const account = page.getByRole("button", { name: "Minha conta" });
    await account.tap();
    await expect(page.getByRole("menu")).toBeVisible();
    await back();
    await expect(page.getByRole("menu")).toBeHidden();
    await expect(account).toBeFocused();

    await page.getByRole("button", { name: "Abrir menu" }).tap();
    const drawer = page.getByRole("dialog", { name: "Menu principal" });
    await expect(drawer).toBeVisible();
    await back();
    await expect(drawer).toBeHidden();

    await page.getByRole("button", { name: "Novo usuário" }).first().tap();
    const form = page.getByRole("dialog", { name: "Novo usuário" });
    await form.getByRole("textbox").first().fill("Bia");
    await form.getByRole("combobox").first().tap();
    await expect(page.getByRole("listbox")).toBeVisible();
    await back();
    await expect(page.getByRole("listbox")).toBeHidden();
    await back();
    const question = page.getByRole("alertdialog", { name: "Descartar as alterações?" });
    await question.getByRole("button", { name: "Cancelar" }).tap();
    await expect(form.getByRole("textbox").first()).toHaveValue("Bia");
    await back();
    await expect(question).toBeVisible();
    // at once, before the browser has painted that the question is gone
    await page.keyboard.press("Escape");
    await back();
    await question.getByRole("button", { name: "Descartar" }).tap();
    await expect(form).toBeHidden();
    await expect(page).toHaveURL(/\/users$/);
  }

  await page.goto("/tickets");
  await acceptByTouch(page, customer.name);
  await bubble(page, "Veja a foto").getByRole("button", { name: "Ampliar foto" }).tap();
  await expect(page.getByRole("dialog")).toBeVisible();
  await backInHistory(page);
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(bubble(page, "Veja a foto")).toBeVisible();
  await backInHistory(page);
  await expect(page).toHaveURL(/\/tickets$/);
  await page.goForward();
  await expect(bubble(page, "Veja a foto")).toBeVisible();
});
