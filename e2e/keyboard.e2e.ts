import { tickets } from "@prosa/contract";
import { uniqueName, createUser, addCustomer, createQueue, password, ticketOf } from "./support/api.ts";
import { bubble, row, showMine, showWaiting } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";
import { acceptByKeys, tabTo } from "./support/keys.ts";

test("a shift without a mouse: sign in, accept, answer, note, transfer, resolve, palette, help (S-11, T-08, T-10, T-14, T-21)", async ({
  page,
  admin,
  customer,
}) => {
  const queue = uniqueName("Financeiro");
  const queueId = await createQueue(admin, queue, "#224466");
  const me = await createUser(admin, uniqueName("Tab"), { queueIds: [queueId], allTicket: true });
  await customer.says("Sem mouse?");
  await ticketOf(admin, customer.name);
  const { keyboard } = page;
  const message = page.getByRole("textbox", { name: "Mensagem" });

  await test.step("sign in", async () => {
    await page.goto("/login");
    await expect(page.getByLabel("E-mail")).toBeFocused();
    await keyboard.type(me.email);
    await keyboard.press("Tab");
    await keyboard.type(password);
    await keyboard.press("Enter");
    await expect(page).toHaveURL(/\/tickets$/);
    // Tab goes on from there, and not from the top of the window
    await expect(page.locator("#content")).toBeFocused();
    await page.reload();
    await expect(page.locator("#content")).toBeFocused();
  });

  await test.step("to the waiting ones by arrow, and accept with its button", async () => {
    await acceptByKeys(page, customer.name);
    await expect(bubble(page, "Sem mouse?")).toBeVisible();
  });

  await test.step("answer", async () => {
    // letters typed immediately after accept are text, not shortcuts
    await expect(page.getByRole("textbox", { name: "Mensagem" })).toBeFocused();
    await keyboard.type("Só teclas.");
    await keyboard.press("Enter");
    await expect(bubble(page, "Só teclas.")).toBeVisible();
  });

  await test.step("bubbles are one tab stop: arrows between them, Enter for the menu, Tab back to the field (Z-02)", async () => {
    const conversation = page.getByTestId("conversation");
    await expect(conversation.getByText(me.name, { exact: true })).toBeVisible();
    await tabTo(page, conversation.getByRole("article"), 4, "Shift+Tab");
    await expect(
      conversation.getByRole("article", { name: new RegExp(`^${me.name}, .*: Só teclas\\.$`) }),
    ).toBeFocused();
    await keyboard.press("ArrowUp");
    await expect(conversation.getByRole("article", { name: /: Sem mouse\?$/ })).toBeFocused();
    await keyboard.press("Enter");
    await expect(page.getByRole("menuitem", { name: "Responder" })).toBeFocused();
    await keyboard.press("Escape");
    await tabTo(page, page.getByRole("textbox", { name: "Mensagem" }), 4);
  });

  await test.step("note", async () => {
    await tabTo(page, page.getByRole("button", { name: "Nova: Notas" }));
    await keyboard.press("Enter");
    await expect(page.getByLabel("Escreva uma nota para a equipe")).toBeFocused();
    await keyboard.type("anotado sem mouse");
    await keyboard.press("Enter");
    await expect(page.getByTestId("conversation").getByText("anotado sem mouse")).toBeVisible();
    // a second note starts in the same field
    await expect(page.getByRole("button", { name: "Nova: Notas" })).toBeFocused();
  });

  await test.step("the keys, and the palette", async () => {
    await message.focus();
    await keyboard.press("Escape");
    await expect(message).not.toBeFocused();
    await keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Teclas de atalho" });
    await expect(help.getByText("Resolver")).toBeVisible();
    await keyboard.press("Escape");
    await expect(help).toBeHidden();

    await keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: "Buscar em tudo" })).toBeFocused();
    await keyboard.type("contatos");
    await keyboard.press("Enter");
    await expect(page).toHaveURL(/\/contacts$/);
    await expect(page.getByRole("heading", { name: /^Contatos/ })).toBeVisible();
    await page.goBack();
    await expect(bubble(page, "Só teclas.")).toBeVisible();
  });

  await test.step("transfer to the queue, and back to oneself", async () => {
    await expect(message).toBeFocused();
    await keyboard.press("Escape");
    await keyboard.press("t");
    const form = page.getByRole("dialog", { name: /^Transferir a conversa/ });
    await expect(form.getByRole("combobox", { name: "Para quem" })).toBeFocused();
    await keyboard.type(queue);
    await expect(form.getByRole("option", { name: queue })).toBeVisible();
    await keyboard.press("Enter");
    await expect(form.getByRole("textbox", { name: /^Nota para a equipe/ })).toBeFocused();
    await keyboard.press("Enter");
    await expect(page).toHaveURL(/\/tickets$/);
    expect(await ticketOf(admin, customer.name)).toMatchObject({ queueId, status: "pending" });
  });

  await test.step("what a search finds is read with Enter, and not accepted (Z-01)", async () => {
    await keyboard.press("/");
    await expect(page.getByRole("searchbox", { name: /^Buscar/ })).toBeFocused();
    await keyboard.type(customer.name);
    await expect(row(page, customer.name)).toBeVisible();
    await tabTo(page, row(page, customer.name).locator("[data-main]"));
    await keyboard.press("Enter");
    await expect(bubble(page, "Só teclas.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Aceitar para responder" })).toBeVisible();
    expect(await ticketOf(admin, customer.name)).toMatchObject({ status: "pending" });
    await tabTo(page, page.getByRole("tab", { name: "Buscar" }), 80, "Shift+Tab");
    await keyboard.press("ArrowLeft");
    await keyboard.press("ArrowLeft");
    await expect(page.getByRole("tab", { name: "Abertas" })).toBeFocused();
  });

  await test.step("accepted again, resolved with E", async () => {
    await acceptByKeys(page, customer.name);
    await expect(bubble(page, "Só teclas.")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Mensagem" })).toBeFocused();
    await keyboard.press("Escape");
    await keyboard.press("e");
    await expect(page).toHaveURL(/\/tickets$/);
    expect(await ticketOf(admin, customer.name)).toMatchObject({ status: "closed" });
  });

  await test.step("and reopened from the word that says so", async () => {
    // The header of the conversation, which says it too, may still be leaving.
    await page.getByRole("status").getByRole("button", { name: "Reabrir" }).press("Enter");
    await expect(page).toHaveURL(/\/tickets\/[\w-]{36}/);
    await expect(bubble(page, "Só teclas.")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Mensagem" })).toBeVisible();
    expect(await ticketOf(admin, customer.name)).toMatchObject({ status: "open", userId: me.id });
  });
});

test("J, K, arrows, Home and End move the focus in the list, and what is resolved hands the focus on (T-01, S-11, Z-01)", async ({
  at,
  admin,
  line,
}) => {
  const me = await createUser(admin, uniqueName("Jota"));
  const names: string[] = [];
  for (const name of ["Primeira", "Segunda", "Terceira"]) {
    const customer = await addCustomer(admin, line, uniqueName(name));
    await customer.says("Oi");
    const { id } = await ticketOf(admin, customer.name);
    await admin.call(tickets.update, { params: { id }, body: { status: "open", userId: me.id } });
    names.unshift(customer.name);
  }
  const page = await at(me);
  const open = page.getByTestId("ticket-list").locator("[aria-current=true]");
  await expect(row(page, names[0]!)).toBeVisible();

  const focused = (name: string) => expect(row(page, name).locator("[data-main]")).toBeFocused();
  const composer = page.getByRole("textbox", { name: "Mensagem" });

  await page.keyboard.press("j");
  await expect(open).toHaveText(new RegExp(names[0]!));
  await page.keyboard.press("j");
  await expect(open).toHaveText(new RegExp(names[1]!));
  await page.keyboard.press("k");
  await expect(open).toHaveText(new RegExp(names[0]!));
  await page.reload();
  await expect(open).toHaveText(new RegExp(names[0]!));
  // opened by its address, the conversation can be written in at once
  await expect(composer).toBeFocused();
  await page.keyboard.press("Escape");

  await page.keyboard.press("j");
  await focused(names[1]!);
  await page.keyboard.press("ArrowDown");
  await expect(open).toHaveText(new RegExp(names[2]!));
  await expect(composer).toBeVisible();
  await focused(names[2]!);
  await page.keyboard.press("Home");
  await focused(names[0]!);
  await page.keyboard.press("End");
  await focused(names[2]!);
  await page.keyboard.press("ArrowUp");
  await focused(names[1]!);
  await page.keyboard.press("Space");
  await expect(page.getByRole("toolbar")).toContainText("1");
  await page.keyboard.press("Escape");
  // one row is in the tab order, with its buttons
  await expect(page.getByTestId("ticket-list").locator("[data-main][tabindex='0']")).toHaveCount(1);

  await page.keyboard.press("e");
  await expect(row(page, names[1]!)).toHaveCount(0);
  await focused(names[2]!);
});

test("letters are text wherever a conversation is open, and commands only in the list (A.1)", async ({
  at,
  admin,
  line,
  customer,
}) => {
  const me = await createUser(admin, uniqueName("Letra"), { allTicket: true });
  await customer.says("Dá para entregar na quinta?");
  const { id } = await ticketOf(admin, customer.name);
  await admin.call(tickets.update, { params: { id }, body: { status: "open", userId: me.id } });
  const page = await at(me);
  const { keyboard } = page;
  const message = page.getByRole("textbox", { name: "Mensagem" });
  /** Types, sees the text in the composer and nothing done to the conversation, and empties it. */
  const typeThere = async (text = "então veja tarde") => {
    await keyboard.type(text);
    await expect(message).toHaveValue(text);
    await expect(message).toBeFocused();
    await expect(page.getByRole("dialog")).toBeHidden();
    expect(await ticketOf(admin, customer.name)).toMatchObject({ status: "open", userId: me.id });
    await message.fill("");
  };

  await test.step("after a click on its row", async () => {
    await row(page, customer.name).getByRole("button", { name: customer.name }).click();
    await expect(bubble(page, "Dá para entregar")).toBeVisible();
    await typeThere();
    // again: it is open already
    await row(page, customer.name).getByRole("button", { name: customer.name }).click();
    await typeThere();
  });

  await test.step("a press on another row leaves the cursor where it is, the click takes it along, and no undo brings the text", async () => {
    const other = await addCustomer(admin, line, uniqueName("Outra"));
    await other.says("E na sexta?");
    const { id: otherId } = await ticketOf(admin, other.name);
    await admin.call(tickets.update, { params: { id: otherId }, body: { status: "open", userId: me.id } });
    const otherRow = row(page, other.name).getByRole("button", { name: other.name });
    await keyboard.type("só para a primeira");
    await otherRow.hover();
    await page.mouse.down();
    await expect(message).toBeFocused();
    await page.mouse.up();
    await expect(bubble(page, "E na sexta?")).toBeVisible();
    await expect(message).toBeFocused();
    await expect(message).toHaveValue("");
    await keyboard.press("Control+z");
    await expect(message).toHaveValue("");

    await otherRow.click({ modifiers: ["ControlOrMeta"] });
    await expect(otherRow).toBeFocused();
    await otherRow.click({ modifiers: ["ControlOrMeta"] });
    await row(page, customer.name).getByRole("button", { name: customer.name }).click();
    await expect(message).toHaveValue("só para a primeira");
    await keyboard.type("!");
    await expect(message).toHaveValue("só para a primeira!");
    await message.fill("");
  });

  await test.step("after a bubble, empty space, the header and its menu", async () => {
    await bubble(page, "Dá para entregar").click();
    await typeThere();
    await page.getByTestId("conversation").click({ position: { x: 5, y: 5 } });
    await typeThere();
    await page.getByRole("button", { name: "Mais opções" }).click();
    await keyboard.press("Escape");
    await typeThere();
  });

  await test.step("after an emoji, which is kept when Escape follows at once", async () => {
    await page.getByRole("button", { name: "Emoji" }).click();
    await page.locator("emoji-picker").getByRole("menuitem", { name: /^😀/ }).click();
    await keyboard.press("Escape");
    await expect(message).toHaveValue("😀");
    await message.fill("");
    await typeThere();
    // searched by letters and chosen with Enter; the next Escape closes the emoji, and no more
    await page.getByRole("button", { name: "Emoji" }).press("Enter");
    await expect(page.locator("emoji-picker input")).toBeFocused();
    await keyboard.type("foguete");
    await expect(page.locator("emoji-picker").getByRole("option", { name: /^🚀/ })).toBeVisible();
    // while the results of the last letters come, the picker may not have selected anything yet
    const rocket = page.locator("emoji-picker").getByRole("option", { name: /^🚀/, selected: true });
    await expect(async () => {
      await keyboard.press("ArrowDown");
      await expect(rocket).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await keyboard.press("Enter");
    await expect(message).toHaveValue(/🚀/u);
    await keyboard.press("Escape");
    await expect(page.locator("emoji-picker")).toBeHidden();
    await message.fill("");
    await typeThere();
  });

  await test.step("after a reaction", async () => {
    await bubble(page, "Dá para entregar").hover();
    await bubble(page, "Dá para entregar").getByRole("button", { name: "Ações da mensagem" }).click();
    await page.getByRole("menuitem", { name: "Reagir com 👍" }).click();
    await expect(bubble(page, "Dá para entregar").getByText("👍")).toBeVisible();
    await typeThere();
  });

  await test.step("a dead key and a paste begin there too", async () => {
    await page.getByTestId("conversation").click({ position: { x: 5, y: 5 } });
    await page.evaluate(() =>
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "Dead", bubbles: true })),
    );
    await keyboard.insertText("ã");
    await expect(message).toHaveValue("ã");
    await message.fill("");
  });

  await test.step("Escape keeps the draft and goes to the row, where letters are commands, with an undo", async () => {
    await message.fill("rascunho");
    await keyboard.press("Escape");
    await expect(row(page, customer.name).locator(":focus")).toBeVisible();
    await keyboard.press("r");
    await expect(page.getByText("Conversa devolvida à fila.")).toBeVisible();
    await page.getByRole("status").getByRole("button", { name: "Desfazer" }).click();
    await expect(message).toHaveValue("rascunho");
    expect(await ticketOf(admin, customer.name)).toMatchObject({ status: "open", userId: me.id });

    await keyboard.press("Escape");
    await keyboard.press("e");
    await expect(page.getByText("Conversa resolvida.")).toBeVisible();
    await keyboard.press("Control+z");
    await expect(message).toHaveValue("rascunho");
    expect(await ticketOf(admin, customer.name)).toMatchObject({ status: "open", userId: me.id });

    // also where the list of those who wait lies beside: it gives way to the one where the conversation is again
    await showWaiting(page);
    await page.getByRole("button", { name: "Mais opções" }).click();
    await page.getByRole("menuitem", { name: /^Devolver/ }).click();
    await page.getByRole("status").getByRole("button", { name: "Desfazer" }).click();
    await expect(row(page, customer.name)).toBeVisible();
    await expect(page.getByRole("tab", { name: /^Atendendo/ })).toHaveAttribute("aria-selected", "true");
  });

  await test.step("Enter held down opens the conversation or the menu, and neither sends the draft nor chooses the first entry", async () => {
    await message.fill("ainda não");
    await keyboard.press("Escape");
    await expect(row(page, customer.name).locator(":focus")).toBeVisible();
    await keyboard.down("Enter");
    await expect(message).toBeFocused();
    await keyboard.down("Enter");
    await keyboard.down("Enter");
    await keyboard.up("Enter");
    await expect(message).toHaveValue("ainda não");
    await message.fill("");

    // its first entry returns the conversation to the queue
    await page.getByRole("button", { name: "Mais opções" }).focus();
    await keyboard.down("Enter");
    await expect(page.getByRole("menuitem").first()).toBeFocused();
    await keyboard.down("Enter");
    await keyboard.up("Enter");
    await expect(page.getByRole("menuitem").first()).toBeFocused();
    expect(await ticketOf(admin, customer.name)).toMatchObject({ status: "open", userId: me.id });
    await keyboard.press("Escape");
  });

  await test.step("what is typed while a dialog's code is on its way is written in the dialog, and commands nothing", async () => {
    for (const [chunk, key, field] of [
      ["Palette", "Control+k", page.getByRole("combobox", { name: "Buscar em tudo" })],
      ["tagging", "g", page.getByRole("dialog", { name: "Etiquetas" }).getByRole("combobox")],
      ["TransferDialog", "t", page.getByRole("combobox", { name: "Para quem" })],
    ] as const) {
      const arrived = Promise.withResolvers<void>();
      await page.route(new RegExp(`/assets/${chunk}-`), async (route) => {
        await arrived.promise;
        await route.continue();
      });
      await page.reload();
      await expect(message).toBeFocused();
      // a list that is not there yet has no row for Escape to go to
      await expect(row(page, customer.name)).toBeVisible();
      await keyboard.press("Escape");
      await expect(row(page, customer.name).locator(":focus")).toBeVisible();
      await keyboard.press(key);
      await keyboard.type("ereta");
      await keyboard.press("Enter");
      arrived.resolve();
      await expect(field).toHaveValue("ereta");
      await expect(field).toBeFocused();
      await page.unrouteAll({ behavior: "ignoreErrors" });
      expect(await ticketOf(admin, customer.name)).toMatchObject({ status: "open", userId: me.id });
    }
    await keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  });

  await test.step("where the contact lies over the conversation, the focus is in it until Escape gives it back (A.5)", async () => {
    await page.setViewportSize({ width: 1366, height: 768 });
    const opener = page.getByRole("button", { name: `Dados de ${customer.name}` });
    await opener.focus();
    await keyboard.press("Enter");
    const drawer = page.getByRole("dialog", { name: "Dados do contato" });
    await expect(drawer.locator(":focus")).toBeVisible();
    await tabTo(page, drawer.getByRole("button", { name: "Fechar" }));
    await keyboard.press("Escape");
    await expect(drawer).toBeHidden();
    await expect(opener).toBeFocused();
    await typeThere();
  });

  await test.step("on the kanban a letter on a card does nothing to the conversation beside", async () => {
    await page.goto("/kanban");
    const card = page.getByTestId("board").locator("[data-handle]").filter({ hasText: customer.name });
    await card.click();
    await expect(bubble(page, "Dá para entregar")).toBeVisible();
    await card.focus();
    await keyboard.type("ert");
    await expect(page.getByRole("dialog")).toBeHidden();
    expect(await ticketOf(admin, customer.name)).toMatchObject({ status: "open", userId: me.id });
  });
});

test("what is typed before the composer is there is text of the conversation that was chosen, and a command on no other (A.1, Z-03)", async ({
  at,
  admin,
  line,
  customer,
}) => {
  const me = await createUser(admin, uniqueName("Ligeira"), { allTicket: true });
  const neighbour = await addCustomer(admin, line, uniqueName("Vizinha"));
  const newcomer = await addCustomer(admin, line, uniqueName("Nova"));
  for (const each of [neighbour, customer]) {
    await each.says("Bom dia!");
    await admin.call(tickets.update, {
      params: { id: (await ticketOf(admin, each.name)).id },
      body: { status: "open", userId: me.id },
    });
  }
  let arrive = () => {};
  let arrived = Promise.resolve();
  const holdComposer = () => {
    ({ promise: arrived, resolve: arrive } = Promise.withResolvers<void>());
  };
  holdComposer();
  const page = await at(me, {
    prepare: (context) =>
      context.route(/assets\/Composer-.*\.js$/u, async (route) => {
        await arrived;
        await route.continue();
      }),
  });
  const { keyboard } = page;
  const message = page.getByRole("textbox", { name: "Mensagem" });
  const text = "kit pronto, eu aviso e tem rota";
  const isWritten = async () => {
    await expect(message).toHaveValue(text);
    await expect(message).toBeFocused();
    await expect(page.getByRole("dialog")).toBeHidden();
    for (const { name } of [neighbour, customer]) {
      expect(await ticketOf(admin, name)).toMatchObject({ status: "open", userId: me.id });
    }
    await message.fill("");
  };

  const writeOn = () => keyboard.type("ja vejo e te falo ".repeat(8), { delay: 20 });
  const nothingElseHappened = async () => {
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(page.getByText(/selecionada/)).toBeHidden();
    for (const { name } of [neighbour, newcomer]) {
      expect(await ticketOf(admin, name)).toMatchObject({ status: "open", userId: me.id });
    }
  };

  await test.step("after a choice in the palette", async () => {
    await expect(row(page, customer.name)).toBeVisible();
    await row(page, neighbour.name).locator("[data-main]").focus();
    await keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: "Buscar em tudo" })).toBeFocused();
    await keyboard.type(customer.name);
    const conversations = page.getByRole("group", { name: "Conversas" });
    await expect(conversations.getByRole("option", { name: customer.name })).toHaveAttribute("data-highlighted", /^/);
    await keyboard.press("Enter");
    await keyboard.type(`${text}!`);
    await keyboard.press("Backspace");
    arrive();
    await isWritten();
    await expect(page).toHaveURL(new RegExp((await ticketOf(admin, customer.name)).uuid));
  });

  await test.step("after its address was opened", async () => {
    holdComposer();
    await page.reload();
    await expect(bubble(page, "Bom dia!")).toBeVisible();
    await keyboard.type(text);
    arrive();
    await isWritten();
  });

  await test.step("but Home goes to another one, and takes no text along", async () => {
    holdComposer();
    await page.goto("/tickets");
    await row(page, customer.name).locator("[data-main]").press("Enter");
    await keyboard.type("so para esta");
    await keyboard.press("Home");
    arrive();
    await expect(message).toBeVisible();
    await expect(message).toHaveValue("");
  });

  await test.step("after Enter accepted it, on a slow line; Enter again sends nothing", async () => {
    await newcomer.says("Tem alguém?");
    await showWaiting(page);
    const held = Promise.withResolvers<void>();
    await page.route(/\/tickets\/\d+$/u, async (route) => {
      await held.promise;
      await route.continue();
    });
    await row(page, newcomer.name).locator("[data-main]").press("Enter");
    await keyboard.press("Enter");
    await keyboard.type(text);
    held.resolve();
    await isWritten();
    expect(await ticketOf(admin, newcomer.name)).toMatchObject({ status: "open", userId: me.id });
    await expect(bubble(page, text)).toBeHidden();
    await page.unrouteAll({ behavior: "wait" });
  });

  await test.step("where a colleague was first it acts on nobody, and the keys are there again", async () => {
    const late = await addCustomer(admin, line, uniqueName("Tarde"));
    await late.says("Oi");
    await showWaiting(page);
    const { id } = await ticketOf(admin, late.name);
    await page.route(/\/tickets\/\d+$/u, async (route) => {
      await admin.call(tickets.update, { params: { id }, body: { status: "open", userId: admin.userId } });
      await route.continue();
    });
    const refused = page.getByText(/já aceitou esta conversa/);
    await row(page, late.name).locator("[data-main]").press("Enter");
    // before the refusal and after it: the row below has the focus by then
    await Promise.all([writeOn(), expect(refused).toBeVisible()]);
    await page.unrouteAll({ behavior: "wait" });
    await nothingElseHappened();
    await page.getByRole("tab", { name: "Abertas" }).click();
    await keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Teclas de atalho" })).toBeVisible();
    await keyboard.press("Escape");
  });

  await test.step("nor does the rest of a text act, whose conversation a colleague has resolved meanwhile", async () => {
    await showMine(page);
    await row(page, customer.name).locator("[data-main]").press("Enter");
    await expect(message).toBeFocused();
    const { id } = await ticketOf(admin, customer.name);
    await Promise.all([writeOn(), admin.call(tickets.update, { params: { id }, body: { status: "closed" } })]);
    await expect(message).toBeHidden();
    await nothingElseHappened();
  });
});
