import { quickMessages, tags, tickets } from "@prosa/contract";
import { uniqueName, createUser, addCustomer, createQueue, photo, ticketOf } from "./support/api.ts";
import { bubble, row } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";
import { keysOf, stepTo, tabTo } from "./support/keys.ts";

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
  const { press, palette, focusBubble, inBubble, closeDialog } = keysOf(page);
  const { keyboard } = page;
  const message = page.getByRole("textbox", { name: "Mensagem" });
  const rowOf = (name: string) => row(page, name).locator("[data-main]");
  const current = page.getByTestId("ticket-list").locator("[aria-current=true]");
  const statusOf = async (name: string) => (await ticketOf(admin, name)).status;
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
        await expect(message).toBeFocused();
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
      "look at those who wait, and show those in service",
      async () => {
        await press("Escape");
        // the list followed the accepted conversation
        await tabTo(page, page.getByRole("tab", { name: /Atendendo/ }), 80, "Shift+Tab");
        await press("ArrowRight");
        await expect(rowOf(ana.name)).toBeHidden();
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
        // the demo's campaign puts others above it
        await stepTo(page, caio.name);
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
