import type { Locator, Page } from "@playwright/test";
import { quickMessages, tags, tickets } from "@prosa/contract";
import { uniqueName, createUser, addCustomer, createQueue, password, photo, ticketOf } from "./support/api.ts";
import { bubble, newestFirst, row } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";

/** Presses Tab until this has the focus; fails when Tab does not reach it. */
async function tabTo(page: Page, target: Locator, most = 60, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press(key);
    if ((await page.locator(":focus").and(target).count()) > 0) {
      return;
    }
  }
  await expect(target).toBeFocused();
}

/** Opens the waiting list by keyboard and accepts this contact's ticket. */
async function acceptByKeys(page: Page, name: string): Promise<void> {
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
async function stepTo(page: Page, name: string): Promise<void> {
  const target = row(page, name).locator("[data-main]");
  await tabTo(page, page.getByTestId("ticket-list").locator("[data-main][tabindex='0']"));
  await page.keyboard.press("Home");
  for (let steps = 0; steps < 40 && (await page.locator(":focus").and(target).count()) === 0; steps += 1) {
    await page.keyboard.press("j");
  }
  await expect(target).toBeFocused();
}

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
    await expect(page.getByLabel("Email")).toBeFocused();
    await keyboard.type(me.email);
    await keyboard.press("Tab");
    await keyboard.type(password);
    await keyboard.press("Enter");
    await expect(page).toHaveURL(/\/tickets$/);
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

test("forty everyday jobs without a mouse, answer, tag and resolve in six keys (A.1, S-11, Z-02, Z-03)", async ({
  at,
  admin,
  line,
}) => {
  test.setTimeout(600_000);
  const queue = uniqueName("Oficina");
  const queueId = await createQueue(admin, queue, "#885511");
  const tag = uniqueName("Urgente");
  await admin.call(tags.create, { body: { name: tag, color: "#aa3355" } });
  const shortcode = uniqueName("prazo").replace(" ", "");
  await admin.call(quickMessages.create, { body: { shortcode, message: "Fica pronto na sexta.", geral: true } });
  const me = await createUser(admin, uniqueName("Teclado"), { queueIds: [queueId], allTicket: true });
  const colleague = await createUser(admin, uniqueName("Colega"), { queueIds: [queueId] });
  const [ana, bia, caio] = [
    await addCustomer(admin, line, uniqueName("Ana")),
    await addCustomer(admin, line, uniqueName("Bia")),
    await addCustomer(admin, line, uniqueName("Caio")),
  ];
  await caio.says("Terceiro");
  await bia.says("Segunda");
  await ana.says("O carro ficou pronto?");
  const opened = await ticketOf(admin, bia.name);
  for (const { name } of [bia, caio]) {
    const { id } = await ticketOf(admin, name);
    await admin.call(tickets.update, { params: { id }, body: { status: "open", userId: me.id } });
  }
  await ticketOf(admin, ana.name);
  const page = await at(me);
  const { keyboard } = page;
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) {
      await keyboard.press(key);
    }
  };
  const message = page.getByRole("textbox", { name: "Mensagem" });
  const rowOf = (name: string) => row(page, name).locator("[data-main]");
  const current = page.getByTestId("ticket-list").locator("[aria-current=true]");
  const statusOf = async (name: string) => (await ticketOf(admin, name)).status;
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
    await expect(item).toBeVisible();
    for (
      let presses = 0;
      presses < 10 && !(await item.evaluate((one) => one === document.activeElement));
      presses += 1
    ) {
      await press("ArrowDown");
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

  const jobs: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      "show those who wait",
      async () => {
        await tabTo(page, page.getByRole("tab", { name: /Atendendo/ }));
        await press("ArrowRight");
        await expect(rowOf(ana.name)).toBeVisible();
      },
    ],
    [
      "accept with Enter",
      async () => {
        await stepTo(page, ana.name);
        await press("Enter");
        await expect.poll(() => statusOf(ana.name)).toBe("open");
      },
    ],
    [
      "answer",
      async () => {
        await expect(message).toBeFocused();
        await keyboard.type("Quase!");
        await press("Enter");
        await expect(bubble(page, "Quase!").getByRole("img", { name: /Entregue|Lida/ })).toBeVisible();
      },
    ],
    [
      "break a line",
      async () => {
        await keyboard.type("Uma");
        await press("Shift+Enter");
        await keyboard.type("duas");
        await press("Enter");
        await expect(bubble(page, "duas")).toContainText("Uma");
      },
    ],
    [
      "send a quick reply by its shortcut",
      async () => {
        await keyboard.type(`/${shortcode}`);
        await expect(page.getByRole("option", { name: new RegExp(shortcode) })).toBeVisible();
        await press("Enter");
        await expect(message).toHaveValue("Fica pronto na sexta.");
        await press("Enter");
        await expect(bubble(page, "Fica pronto na sexta.")).toBeVisible();
      },
    ],
    [
      "open the emoji, and close them",
      async () => {
        await tabTo(page, page.getByRole("button", { name: "Emoji" }));
        await press("Enter");
        await expect(page.locator("emoji-picker")).toBeVisible();
        await press("Escape");
        await expect(page.locator("emoji-picker")).toBeHidden();
      },
    ],
    [
      "insert a variable",
      async () => {
        await message.focus();
        await tabTo(page, page.getByRole("button", { name: "Variáveis" }));
        await press("Enter");
        await expect(page.getByRole("menuitem").first()).toBeFocused();
        await press("Enter");
        await expect(message).toHaveValue("Ana");
      },
    ],
    [
      "empty the text",
      async () => {
        await expect(message).toBeFocused();
        await press("Control+a", "Delete");
        await expect(message).toHaveValue("");
      },
    ],
    [
      "switch the signature off",
      async () => {
        await tabTo(page, page.getByRole("switch", { name: "assina" }));
        await press("Space");
        await expect(page.getByRole("switch", { name: "assina" })).not.toBeChecked();
      },
    ],
    [
      "attach a file",
      async () => {
        const chooser = page.waitForEvent("filechooser");
        await tabTo(page, page.getByRole("button", { name: "Anexar arquivos" }), 60, "Shift+Tab");
        await press("Enter");
        await (await chooser).setFiles(photo);
        await expect(page.getByRole("list", { name: /arquivo/ })).toContainText("foto.jpg");
      },
    ],
    [
      "write its caption",
      async () => {
        await tabTo(page, page.getByRole("textbox", { name: /^Legenda/ }), 60, "Shift+Tab");
        await keyboard.type("de frente");
      },
    ],
    [
      "take the file out",
      async () => {
        await tabTo(page, page.getByRole("button", { name: "Tirar foto.jpg" }));
        await press("Enter");
        await expect(page.getByRole("list", { name: /arquivo/ })).toBeHidden();
      },
    ],
    [
      "quote, and let it be",
      async () => {
        await inBubble("O carro ficou pronto?", "Responder");
        await expect(message).toBeFocused();
        await press("Escape");
        await expect(page.getByRole("button", { name: "Cancelar" })).toBeHidden();
        await expect(message).toBeFocused();
      },
    ],
    [
      "quote and answer",
      async () => {
        await inBubble("O carro ficou pronto?", "Responder");
        await keyboard.type("Ficou sim");
        await press("Enter");
        await expect(bubble(page, "Ficou sim")).toContainText("O carro ficou pronto?");
      },
    ],
    [
      "edit",
      async () => {
        await expect(bubble(page, "Ficou sim").getByRole("img", { name: /Entregue|Lida/ })).toBeVisible();
        await inBubble("Ficou sim", "Editar");
        await expect(message).toHaveValue("Ficou sim");
        await keyboard.type(", pode vir");
        await press("Enter");
        await expect(bubble(page, "Ficou sim, pode vir")).toBeVisible();
      },
    ],
    [
      "read the earlier texts",
      async () => {
        await inBubble("Ficou sim, pode vir", "Ver textos anteriores");
        await expect(page.getByRole("dialog", { name: "Textos anteriores" })).toContainText("Ficou sim");
        await closeDialog();
      },
    ],
    [
      "delete",
      async () => {
        await inBubble("duas", "Apagar para todos");
        await tabTo(page, page.getByRole("alertdialog").getByRole("button", { name: "Apagar" }));
        await press("Enter");
        await expect(bubble(page, "Mensagem apagada")).toBeVisible();
      },
    ],
    [
      "react",
      async () => {
        await focusBubble("O carro ficou pronto?");
        await press("Enter");
        await expect(page.getByRole("menuitem", { name: "Responder" })).toBeFocused();
        const reaction = page.getByRole("menuitem", { name: "Reagir com 👍" });
        await press("Home");
        await expect(reaction).toBeFocused();
        await press("Enter");
        await expect(bubble(page, "O carro ficou pronto?").getByText("👍")).toBeVisible();
      },
    ],
    [
      "keep a draft and go to the list",
      async () => {
        await message.focus();
        await keyboard.type("rascunho");
        await press("Escape");
        await expect(message).toHaveValue("rascunho");
        await expect(message).not.toBeFocused();
      },
    ],
    [
      "write a note with N",
      async () => {
        await press("n");
        const note = page.getByRole("textbox", { name: "Nota para a equipe" });
        await expect(note).toBeFocused();
        await keyboard.type("cliente antiga");
        await press("Enter");
        await expect(page.getByTestId("conversation").getByText("cliente antiga")).toBeVisible();
        await press("Escape", "n");
        await expect(message).toBeFocused();
        await expect(message).toHaveValue("rascunho");
      },
    ],
    [
      "send later",
      async () => {
        await tabTo(page, page.getByRole("button", { name: "Enviar mais tarde" }));
        await press("Enter");
        await expect(page.getByRole("dialog")).toBeVisible();
        await closeDialog();
      },
    ],
    [
      "send the draft",
      async () => {
        await message.focus();
        await press("Enter");
        await expect(bubble(page, "rascunho")).toBeVisible();
      },
    ],
    [
      "show those in service",
      async () => {
        await press("Escape");
        await tabTo(page, page.getByRole("tab", { name: /Aguardando/ }), 80, "Shift+Tab");
        await press("ArrowLeft");
        await expect(rowOf(ana.name)).toBeVisible();
      },
    ],
    [
      "next, previous, last and first conversation",
      async () => {
        await press("j");
        await expect(current).toBeVisible();
        await press("End");
        const last = await current.innerText();
        await press("Home", "j", "k");
        await expect(current).not.toHaveText(last);
      },
    ],
    [
      "open one and write at once",
      async () => {
        await press("Home");
        while (!(await rowOf(bia.name).evaluate((one) => one === document.activeElement))) {
          await press("j");
        }
        await press("Enter");
        await expect(page).toHaveURL(new RegExp(opened.uuid));
        await expect(message).toBeFocused();
        await expect(bubble(page, "Segunda")).toBeVisible();
      },
    ],
    [
      "answer, tag and resolve in six keys",
      async () => {
        await press("Escape", "g");
        await expect(page.getByRole("dialog", { name: "Etiquetas" })).toBeVisible();
        await press("Escape");
        await expect(page.getByRole("dialog", { name: "Etiquetas" })).toBeHidden();
        await press("Enter");
        await expect(message).toBeFocused();
        // the text is not counted
        await keyboard.type("Pode vir");
        await press("Enter", "Escape", "g");
        await expect(
          page
            .getByRole("dialog", { name: "Etiquetas" })
            .getByRole("combobox")
            .or(page.getByRole("dialog", { name: "Etiquetas" }).getByRole("textbox")),
        ).toBeFocused();
        await keyboard.type(tag);
        await press("Enter");
        await expect(rowOf(bia.name)).toBeFocused();
        await press("e");
        await expect.poll(() => statusOf(bia.name)).toBe("closed");
        expect((await ticketOf(admin, bia.name)).tags.map(({ name }) => name)).toEqual([tag]);
      },
    ],
    [
      "undo the resolution",
      async () => {
        await expect(page.getByText("Conversa resolvida.")).toBeVisible();
        await press("Control+z");
        await expect.poll(() => statusOf(bia.name)).toBe("open");
        await expect(message).toBeFocused();
      },
    ],
    [
      "take the tag off again",
      async () => {
        await press("Escape", "g");
        await keyboard.type(tag);
        await press("Enter");
        await expect.poll(async () => (await ticketOf(admin, bia.name)).tags).toEqual([]);
      },
    ],
    [
      "return to the queue, and undo it",
      async () => {
        await expect(rowOf(bia.name)).toBeFocused();
        await press("r");
        await expect(page.getByText("Conversa devolvida à fila.")).toBeVisible();
        await press("Control+z");
        await expect.poll(async () => (await ticketOf(admin, bia.name)).userId).toBe(me.id);
        await expect(message).toBeFocused();
      },
    ],
    [
      "transfer, and think better of it",
      async () => {
        await press("Escape", "t");
        await expect(page.getByRole("dialog", { name: /^Transferir a conversa/ })).toBeVisible();
        await closeDialog();
      },
    ],
    [
      "select several",
      async () => {
        await rowOf(bia.name).focus();
        await press("x", "j", "x");
        await expect(page.getByRole("toolbar")).toContainText("2");
      },
    ],
    [
      "let the selection go",
      async () => {
        await press("Escape");
        await expect(page.getByRole("toolbar")).toBeHidden();
      },
    ],
    [
      "search",
      async () => {
        await press("/");
        await expect(page.getByRole("searchbox").first()).toBeFocused();
        await keyboard.type(caio.name);
        await expect(rowOf(caio.name)).toBeVisible();
      },
    ],
    [
      "open what was found",
      async () => {
        await tabTo(page, rowOf(caio.name));
        await press("Enter");
        await expect(bubble(page, "Terceiro")).toBeVisible();
        await expect(message).toBeFocused();
      },
    ],
    [
      "resolve by the palette",
      async () => {
        await palette("Resolver");
        await expect.poll(() => statusOf(caio.name)).toBe("closed");
      },
    ],
    [
      "reopen from the resolved ones",
      async () => {
        await tabTo(page, page.getByRole("tab", { name: "Buscar" }), 80, "Shift+Tab");
        await press("ArrowLeft");
        await expect(rowOf(caio.name)).toBeVisible();
        await tabTo(page, rowOf(caio.name));
        await press("Enter");
        await press("a");
        await expect.poll(() => statusOf(caio.name)).toBe("open");
      },
    ],
    [
      "begin a new conversation",
      async () => {
        await palette("Nova conversa");
        await expect(page.getByRole("dialog", { name: "Nova conversa" })).toBeVisible();
        await closeDialog();
      },
    ],
    [
      "the keys",
      async () => {
        await tabTo(
          page,
          page
            .getByRole("tab", { name: "Abertas" })
            .or(page.getByRole("tab", { name: "Resolvidas" }))
            .or(page.getByRole("tab", { name: "Buscar" }))
            .and(page.locator("[aria-selected=true]")),
        );
        await press("?");
        await expect(page.getByRole("dialog", { name: "Teclas de atalho" })).toBeVisible();
        await closeDialog();
      },
    ],
    [
      "the other theme",
      async () => {
        const before = await page.locator("html").getAttribute("data-theme");
        await palette("tema");
        await expect(page.locator("html")).not.toHaveAttribute("data-theme", before ?? "");
      },
    ],
    [
      "another language, and back",
      async () => {
        await palette("English");
        await expect(page.getByRole("tab", { name: "Resolved" })).toBeVisible();
        await press("Control+k");
        await keyboard.type("Português");
        await press("Enter");
        await expect(page.getByRole("tab", { name: "Resolvidas" })).toBeVisible();
      },
    ],
    [
      "another screen, and back",
      async () => {
        await palette("Contatos");
        await expect(page).toHaveURL(/\/contacts$/);
        await page.goBack();
        await expect(page).toHaveURL(/\/tickets/);
      },
    ],
    [
      "write to a colleague",
      async () => {
        await palette("Chat interno");
        await expect(page).toHaveURL(/\/chats/);
        await tabTo(page, page.getByRole("button", { name: "Nova conversa interna" }).first());
        await press("Enter");
        await expect(page.getByRole("dialog")).toBeVisible();
        await keyboard.type("Turno");
        await tabTo(page, page.getByLabel("Buscar usuário"));
        await keyboard.type(colleague.name);
        await tabTo(page, page.getByRole("checkbox", { name: colleague.name }));
        await press("Space");
        await tabTo(page, page.getByRole("button", { name: "Salvar" }));
        await press("Enter");
        await expect(page).toHaveURL(/\/chats\/[\w-]{36}$/);
      },
    ],
    [
      "sign out",
      async () => {
        await palette("Sair");
        await expect(page).toHaveURL(/\/login/);
      },
    ],
  ];
  expect(jobs.length).toBeGreaterThanOrEqual(40);
  for (const [job, run] of jobs) {
    await test.step(job, run);
  }
});
