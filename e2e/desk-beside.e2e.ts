/** The drawer and dialogs beside the conversation: contact, notes, tags, products, transfer, new tickets, quick replies. */
import { products, queues, quickMessages, tags, tickets } from "@prosa/contract";
import { openAsBlob } from "node:fs";
import type { Page } from "@playwright/test";
import {
  addCustomer,
  uniqueName,
  createUser,
  createQueue,
  photo,
  ticketOf,
  type Account,
  type ApiClient,
  type Customer,
} from "./support/api.ts";
import { accept, acceptByTouch, bubble, chooseInBubble, row, showMine, write } from "./support/desk.ts";
import { choose } from "./support/fields.ts";
import { expect, test } from "./support/journey.ts";

/** Accepts this customer's ticket as this agent and opens it. */
async function openWith(page: Page, customer: Customer, text: string): Promise<void> {
  await customer.says(text);
  await accept(page, customer.name);
  await expect(bubble(page, text)).toBeVisible();
}

const drawer = (page: Page) => page.getByRole("complementary", { name: "Dados do contato" });

/** A second admin, who looks at the same conversation. */
async function lookWith(
  at: (account: Pick<Account, "email">) => Promise<Page>,
  admin: ApiClient,
  customer: Customer,
): Promise<Page> {
  const page = await at(await createUser(admin, uniqueName("Olga"), { profile: "admin" }));
  await page.goto(`/tickets/${(await ticketOf(admin, customer.name)).uuid}`);
  await expect(drawer(page)).toBeVisible();
  return page;
}

test("a note is written, shows among the messages and at a colleague's, and is deleted (T-21, C-06)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Nara")));
  await openWith(page, customer, "Posso pagar no Pix?");
  const colleague = await lookWith(at, admin, customer);

  await drawer(page).getByRole("button", { name: "Nova: Notas" }).click();
  await page.getByLabel("Escreva uma nota para a equipe").fill("a");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Muito curto! Ao menos 2 caracteres")).toBeVisible();
  await page.getByLabel("Escreva uma nota para a equipe").fill("aceitar 10% no Pix");
  const saving = Promise.withResolvers<void>();
  await page.route("**/ticket-notes", (route) => saving.promise.then(() => route.continue()), { times: 1 });
  await page.keyboard.press("Enter");
  // a second press while saving adds no second note
  await page.keyboard.press("Enter");
  saving.resolve();

  await expect(page.getByText("Observação adicionada com sucesso!")).toBeVisible();
  await expect(page.getByTestId("conversation").getByText("aceitar 10% no Pix")).toBeVisible();
  await expect(drawer(colleague).getByText("aceitar 10% no Pix")).toBeVisible();
  await expect(colleague.getByTestId("conversation").getByText("aceitar 10% no Pix")).toBeVisible();

  await test.step("the next note, begun before the answer to the first, stays", async () => {
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let asked = 0;
    await page.route("**/ticket-notes", (route) => answers[(asked += 1) - 1]?.promise.then(() => route.continue()));
    const inDrawer = page.getByLabel("Escreva uma nota para a equipe");
    const conversation = page.getByTestId("conversation");
    await drawer(page).getByRole("button", { name: "Nova: Notas" }).click();
    await inDrawer.fill("só até sexta");
    await page.keyboard.press("Enter");
    await page.keyboard.type(" e confirmar o prazo");
    answers[0]!.resolve();
    await expect(conversation.getByText("só até sexta")).toBeVisible();
    await expect(inDrawer).toHaveValue("e confirmar o prazo");
    // Nor does Escape or a reload lose it.
    await page.keyboard.press("Escape");
    await page.reload();
    await drawer(page).getByRole("button", { name: "Nova: Notas" }).click();
    await expect(inDrawer).toHaveValue("e confirmar o prazo");
    await inDrawer.fill("");
    await drawer(page).getByRole("button", { name: "Cancelar" }).click();

    // the same below the conversation
    await page.getByRole("tab", { name: "Nota" }).click();
    const below = page.getByRole("textbox", { name: "Nota para a equipe" });
    await below.fill("vem buscar");
    await page.keyboard.press("Enter");
    await page.keyboard.type(" de manhã");
    answers[1]!.resolve();
    await expect(conversation.getByText("vem buscar")).toBeVisible();
    await expect(below).toHaveValue("de manhã");
    await below.fill("");
    await page.keyboard.press("Escape");
    for (const text of ["só até sexta", "vem buscar"]) {
      await drawer(page).getByRole("article").filter({ hasText: text }).getByRole("button").click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Excluir" }).click();
      await expect(conversation.getByText(text)).toHaveCount(0);
    }
  });

  await drawer(page).getByRole("button", { name: "Excluir nota" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Excluir" }).click();
  await expect(page.getByText("Observação excluída com sucesso!")).toBeVisible();
  await expect(colleague.getByText("aceitar 10% no Pix")).toHaveCount(0);
});

test("Nota ends a quote, and a quote ends Nota: what is for the team never goes to the contact (T-21, M-10)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Lina")));
  await openWith(page, customer, "Me faz um desconto?");
  const tab = (name: string) => page.getByRole("tab", { name });
  const reply = page.getByRole("textbox", { name: "Mensagem" });
  const note = page.getByRole("textbox", { name: "Nota para a equipe" });

  await chooseInBubble(page, "Me faz um desconto?", "Responder");
  await expect(reply).toBeFocused();
  await tab("Nota").click();
  await expect(tab("Nota")).toHaveAttribute("aria-selected", "true");
  await note.fill("até 10% no Pix");
  await note.press("Enter");
  await expect(page.getByText("Observação adicionada com sucesso!")).toBeVisible();
  await expect(note).toHaveValue("");

  await chooseInBubble(page, "Me faz um desconto?", "Responder");
  await expect(reply).toBeFocused();
  await write(page, "Faço 5%.");
  await expect(bubble(page, "Faço 5%.").getByText("Me faz um desconto?")).toBeVisible();
  await expect(tab("Responder")).toHaveAttribute("aria-selected", "true");
  await expect(reply).toBeVisible();
  const told = async () => (await customer.sees()).filter(({ fromMe }) => !fromMe);
  await expect.poll(async () => (await told()).map(({ text }) => text.split("\n").at(-1))).toEqual(["Faço 5%."]);
});

test("a note whose conversation is left while it saves is said to be saved or not, and is a draft only where it is not (T-21, Z-02)", async ({
  at,
  admin,
  line,
  customer,
}) => {
  const other = await addCustomer(admin, line, uniqueName("Outra"));
  await other.says("E eu?");
  const page = await at(await createUser(admin, uniqueName("Nilo")));
  await accept(page, other.name);
  await openWith(page, customer, "Posso pagar no Pix?");
  await showMine(page);
  const open = async (name: string) => row(page, name).getByRole("button", { name }).click();
  const field = page.getByLabel("Escreva uma nota para a equipe");
  const write = async (text: string) => {
    await drawer(page).getByRole("button", { name: "Nova: Notas" }).click();
    await field.fill(text);
    await page.keyboard.press("Enter");
  };

  const saved = Promise.withResolvers<void>();
  await page.route("**/ticket-notes", (route) => saved.promise.then(() => route.continue()), { times: 1 });
  await write("aceitar 10% no Pix");
  await open(other.name);
  await expect(bubble(page, "E eu?")).toBeVisible();
  saved.resolve();
  await expect(page.getByText("Observação adicionada com sucesso!")).toBeVisible();
  await open(customer.name);
  await expect(drawer(page).getByText("aceitar 10% no Pix")).toBeVisible();
  await drawer(page).getByRole("button", { name: "Nova: Notas" }).click();
  await expect(field).toHaveValue("");
  await page.keyboard.press("Escape");

  const refused = Promise.withResolvers<void>();
  await page.route("**/ticket-notes", (route) => refused.promise.then(() => route.fulfill({ status: 500 })), {
    times: 1,
  });
  await write("só até sexta");
  await open(other.name);
  await expect(bubble(page, "E eu?")).toBeVisible();
  refused.resolve();
  await expect(page.getByText("Ocorreu um erro! Tente de novo.")).toBeVisible();
  await open(customer.name);
  await drawer(page).getByRole("button", { name: "Nova: Notas" }).click();
  await expect(field).toHaveValue("só até sexta");
});

test("tags and products are put on the ticket, and rows and drawers of colleagues follow (T-20)", async ({
  at,
  admin,
  customer,
}) => {
  const [tag, product, refused] = [uniqueName("Etiqueta"), uniqueName("Produto"), uniqueName("Recusado")];
  for (const name of [product, refused]) {
    await admin.call(products.create, { body: { name } });
  }
  const page = await at(await createUser(admin, uniqueName("Tito")));
  await openWith(page, customer, "Quero a mesa.");
  const colleague = await lookWith(at, admin, customer);

  await drawer(page).getByRole("button", { name: "Editar: Etiquetas" }).click();
  const picker = page.getByRole("dialog", { name: "Etiquetas" });
  const made = picker.getByRole("option", { name: tag, exact: true });
  const answer = Promise.withResolvers<void>();
  await page.route("**/tags/sync", (route) => answer.promise.then(() => route.continue()), { times: 1 });
  await picker.getByRole("combobox").fill(tag);
  await picker.getByRole("option", { name: `Criar “${tag}”` }).click();
  // The row disappears: typing and Escape must work before the server answers.
  await expect(picker.getByRole("combobox")).toBeFocused();
  answer.resolve();
  await expect(made).toHaveAttribute("aria-selected", "true");

  // By keyboard alone: the first row that is found is at hand, and the field keeps the focus over each answer.
  for (const isChosen of [false, true]) {
    await picker.getByRole("combobox").fill(tag);
    await page.keyboard.press("Enter");
    await expect(made).toHaveAttribute("aria-selected", String(isChosen));
    await expect(picker.getByRole("combobox")).toBeFocused();
  }

  // Two choices before the first answer: both count.
  const others = [uniqueName("Garantia"), uniqueName("Retorno")];
  for (const name of others) {
    await admin.call(tags.create, { body: { name } });
  }
  await picker.getByRole("combobox").fill("");
  const late = Promise.withResolvers<void>();
  await page.route("**/tags/sync", (route) => late.promise.then(() => route.continue()), { times: 1 });
  for (const name of others) {
    await picker.getByRole("option", { name, exact: true }).click();
  }
  late.resolve();
  for (const name of others) {
    await expect(drawer(colleague).getByText(name, { exact: true })).toBeVisible();
  }
  await page.keyboard.press("Escape");
  await expect(picker).toBeHidden();
  await drawer(page).getByRole("button", { name: "Adicionar: Produtos" }).click();
  // Two choices before the first answer: the refusal of one is said, and the other counts.
  const refusal = Promise.withResolvers<void>();
  await page.route("**/ticket-products/**", (route) => refusal.promise.then(() => route.fulfill({ status: 500 })), {
    times: 1,
  });
  for (const name of [refused, product]) {
    await page.getByRole("dialog", { name: "Produtos" }).getByRole("option", { name }).click();
  }
  refusal.resolve();
  await expect(page.getByText("Ocorreu um erro! Tente de novo.")).toBeVisible();
  await page.keyboard.press("Escape");

  await showMine(page);
  await expect(row(page, customer.name)).toContainText(tag);
  await expect(drawer(colleague).getByText(tag, { exact: true })).toBeVisible();
  await expect(drawer(colleague).getByText(product, { exact: true })).toBeVisible();

  await drawer(colleague)
    .getByRole("button", { name: `Tirar a etiqueta ${tag}` })
    .click();
  await expect(drawer(page).getByText(tag, { exact: true })).toHaveCount(0);
});

test("on a phone the contact opens over the page; what is edited shows everywhere (C-06)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Bia")), { width: 360 });
  await openWith(page, customer, "Mudei de nome.");
  await page.getByRole("button", { name: new RegExp(`^${customer.name}`) }).click();
  const details = page.getByRole("dialog", { name: "Dados do contato" });
  await details.getByRole("button", { name: "Adicionar" }).first().click();
  const products = page.getByRole("dialog").last().getByPlaceholder("Buscar");
  await expect(products).toBeFocused();
  // Escape closes only the topmost layer
  await page.keyboard.press("Escape");
  await expect(products).toBeHidden();
  await expect(details).toBeVisible();
  await details.getByRole("button", { name: "Editar contato" }).click();

  const form = page.getByRole("dialog", { name: "Editar contato" });
  await form.getByRole("textbox", { name: "Nome" }).fill("A");
  await form.getByRole("button", { name: "Salvar" }).click();
  await expect(form.getByText("Muito curto! Ao menos 2 caracteres")).toBeVisible();
  const name = uniqueName("Bianca Flores");
  await form.getByRole("textbox", { name: "Nome" }).fill(name);
  await form.getByRole("button", { name: "Adicionar informação" }).click();
  await form.getByLabel("Campo").fill("Cidade");
  await form.getByLabel("Valor").fill("Santos");
  await form.getByRole("button", { name: "Salvar" }).click();

  await expect(details.getByRole("heading", { name })).toBeVisible();
  await expect(details.getByText("Santos")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(details).toBeHidden();
  await expect(page.getByRole("button", { name: new RegExp(`^${name}`) })).toBeVisible();
});

test("a colleague gets the conversation with a note, by keyboard alone, and is told (T-14)", async ({
  at,
  admin,
  customer,
}) => {
  const queue = uniqueName("Financeiro");
  const queueId = await createQueue(admin, queue, "#31708f");
  const rui = await createUser(admin, uniqueName("Rui"), { queueIds: [queueId] });
  const teo = await createUser(admin, uniqueName("Téo"));
  const [page, theirs] = [await at(teo), await at(rui)];
  await openWith(page, customer, "Segunda via, por favor.");

  await page.getByRole("textbox", { name: "Mensagem" }).press("Escape");
  await page.keyboard.press("t");
  const form = page.getByRole("dialog", { name: /^Transferir a conversa/ });
  const field = form.getByRole("combobox", { name: "Para quem" });
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(form).toBeHidden();
  await page.getByRole("textbox", { name: "Mensagem" }).press("Escape");
  await page.keyboard.press("t");
  await expect(field).toBeFocused();
  await form.getByRole("button", { name: "Transferir" }).click();
  await expect(form.getByText("Escolha um atendente ou uma fila")).toBeVisible();
  await field.fill("ninguém assim");
  await expect(form.getByText("Ninguém com esse nome, e nenhuma fila.")).toBeVisible();

  // Whoever goes between the choice and the button is not transferred to, and nothing is lost.
  const gone = uniqueName("Passageira");
  const goneId = await createQueue(admin, gone, "#8f7031");
  await field.fill(gone);
  await form.getByRole("option", { name: gone }).click();
  await form.getByRole("textbox", { name: /^Nota/ }).fill("fica aqui");
  await admin.call(queues.remove, { params: { id: goneId } });
  await expect(field).toBeVisible();
  await form.getByRole("button", { name: "Transferir" }).click();
  await expect(page.getByText("Quem você escolheu não está mais disponível. Escolha de novo.")).toBeVisible();
  await expect(form.getByRole("textbox", { name: /^Nota/ })).toHaveValue("fica aqui");
  await form.getByRole("textbox", { name: /^Nota/ }).fill("");

  await field.fill(rui.name.toUpperCase());
  const option = form.getByRole("option", { name: rui.name });
  await expect(option).toContainText("Online");
  await expect(option).toContainText(queue);
  await page.keyboard.press("Enter");
  await expect(form.getByRole("textbox", { name: /^Nota para o colega/ })).toBeFocused();
  await page.keyboard.type("Quer a de novembro");
  await page.keyboard.press("Enter");

  await expect(page).toHaveURL(/\/tickets$/);
  await expect(page.getByText(`Conversa transferida para ${rui.name}.`)).toBeVisible();
  expect(await ticketOf(admin, customer.name)).toMatchObject({ status: "open", userId: rui.id, queueId });

  const said = `${teo.name} transferiu ${customer.name} para você: Quer a de novembro`;
  await expect(theirs.getByText(said)).toBeVisible();
  await theirs.getByRole("status").getByRole("button", { name: "Abrir" }).click();
  await expect(theirs.getByTestId("conversation").getByText("Quer a de novembro")).toBeVisible();
  await expect(bubble(theirs, "Segunda via, por favor.")).toBeVisible();
});

test("an admin takes a colleague's conversation over with a note, and puts it back into its queue with another (T-14)", async ({
  at,
  admin,
  customer,
}) => {
  const queue = uniqueName("Oficina");
  const queueId = await createQueue(admin, queue, "#356b8f");
  const colleague = await createUser(admin, uniqueName("Davi"), { queueIds: [queueId] });
  await customer.says("Vocês vêm hoje?");
  const { id, uuid } = await ticketOf(admin, customer.name);
  const body = { status: "open", userId: colleague.id, queueId } as const;
  await admin.call(tickets.update, { params: { id }, body });
  const boss = await createUser(admin, uniqueName("Chefe"), { profile: "admin" });
  const page = await at(boss);
  const transferTo = async (name: string, note: string) => {
    await page.goto(`/tickets/${uuid}`);
    await page.getByRole("button", { name: "Mais opções" }).click();
    await page.getByRole("menuitem", { name: "Transferir" }).click();
    const form = page.getByRole("dialog", { name: /^Transferir a conversa/ });
    await form.getByRole("combobox", { name: "Para quem" }).fill(name);
    await form.getByRole("option", { name }).click();
    await form.getByRole("textbox", { name: /^Nota/ }).fill(note);
    await form.getByRole("button", { name: "Transferir" }).click();
    await expect(page.getByText(`Conversa transferida para ${name}.`)).toBeVisible();
  };

  await transferTo(boss.name, "Sigo eu");
  expect(await ticketOf(admin, customer.name)).toMatchObject({ status: "open", userId: boss.id });
  await transferTo(queue, "Volta às 14h");
  expect(await ticketOf(admin, customer.name)).toMatchObject({ status: "pending", userId: null, queueId });
  await page.goto(`/tickets/${uuid}`);
  for (const note of ["Sigo eu", "Volta às 14h"]) {
    await expect(page.getByTestId("conversation").getByText(note)).toBeVisible();
  }
});

test("a conversation that a colleague has is named, one's own is opened, a new contact is made (T-15, T-16)", async ({
  at,
  admin,
  customer,
  line,
}) => {
  const queueId = await createQueue(admin, uniqueName("Recepção"), "#8a6d3b");
  const colleague = await createUser(admin, uniqueName("Ivo"), { queueIds: [queueId] });
  const agent = await createUser(admin, uniqueName("Lara"), { queueIds: [queueId] });
  await customer.says("Bom dia");
  const { id } = await ticketOf(admin, customer.name);
  const give = (userId: number) =>
    admin.call(tickets.update, { params: { id }, body: { status: "open", userId, queueId } });
  await give(colleague.id);
  const page = await at(agent);
  const form = page.getByRole("dialog", { name: "Nova conversa" });
  const ask = async () => {
    // The contact drawer, once loaded, has one as well.
    await page.getByRole("button", { name: "Nova conversa" }).first().click();
    await form.getByRole("combobox", { name: "Contato" }).fill(customer.name);
    await page.getByRole("option", { name: new RegExp(`^${customer.name}`) }).click();
    await choose(form.getByLabel("Conexão"), line.name);
    await form.getByRole("button", { name: "Abrir conversa" }).click();
  };

  await ask();
  await expect(page.getByText(`${colleague.name} já atende este contato`)).toBeVisible();
  await give(agent.id);
  await ask();
  await expect(page).toHaveURL(/\/tickets\/[\w-]{36}/);
  await expect(bubble(page, "Bom dia")).toBeVisible();

  const stranger = uniqueName("Pessoa Nova");
  await page.getByRole("button", { name: "Nova conversa" }).first().click();
  await form.getByRole("combobox", { name: "Contato" }).fill(stranger);
  await page.getByRole("option", { name: `Criar o contato “${stranger}”` }).click();
  await form.getByLabel("Número do WhatsApp").fill(customer.number);
  await form.getByRole("button", { name: "Abrir conversa" }).click();
  await expect(form.getByText("Já existe um contato com este número.")).toBeVisible();
});

test("a quick reply with a file is made once and sent with two keys, its variables filled in (O-01, M-12, M-13)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Zoe")));
  const shortcode = uniqueName("boleto").replaceAll(" ", "");
  await page.goto("/quick-messages");
  await page.getByRole("button", { name: "Nova resposta" }).first().click();
  const form = page.getByRole("dialog", { name: "Nova resposta rápida" });
  await form.getByRole("textbox", { name: "Atalho" }).fill(shortcode);
  await form.getByRole("textbox", { name: "Mensagem" }).fill("Oi, !");
  await form.getByRole("textbox", { name: "Mensagem" }).press("ArrowLeft");
  await form.getByRole("button", { name: "Variáveis" }).click();
  await page.getByRole("menuitem", { name: /Primeiro nome/ }).click();
  await expect(form.getByRole("textbox", { name: "Mensagem" })).toHaveValue("Oi, {{firstName}}!");
  await form.getByTestId("quick-message-file").setInputFiles(photo);
  await form.getByRole("button", { name: "Salvar" }).click();
  await expect(page.getByRole("row", { name: new RegExp(shortcode) })).toContainText("foto.jpg");

  await page.getByRole("link", { name: "Conversas" }).click();
  await openWith(page, customer, "E o boleto?");
  // Enter before the quick replies are loaded must not send the shortcut to the customer, nor where they cannot be.
  const list = Promise.withResolvers<void>();
  await page.route("**/quick-messages/list*", (route) => list.promise.then(() => route.continue()));
  const asked = page.waitForRequest("**/quick-messages/list*");
  await page.context().setOffline(true);
  await page.getByRole("textbox", { name: "Mensagem" }).fill(`/${shortcode}`);
  await page.getByRole("textbox", { name: "Mensagem" }).press("Enter");
  await expect(page.getByText("As respostas rápidas ainda não carregaram.")).toBeVisible();
  const field = page.getByRole("textbox", { name: "Mensagem" });
  const send = page.getByRole("button", { name: "Enviar", exact: true });
  await send.click();
  await expect(field).toHaveValue(`/${shortcode}`);
  await page.context().setOffline(false);
  await asked;
  for (const submit of [() => field.press("Enter"), () => send.click()]) {
    await submit();
    await expect(field).toHaveValue(`/${shortcode}`);
  }
  list.resolve();
  await expect(page.getByRole("option", { name: new RegExp(shortcode) })).toBeVisible();
  const [firstName] = customer.name.split(" ");

  // A text whose file cannot be fetched is not sent without it, and stays.
  const refused = Promise.withResolvers<void>();
  await page.route("**/media/*", (route) => refused.promise.then(() => route.fulfill({ status: 500 })), { times: 1 });
  await field.press("Enter");
  await expect(field).toHaveValue(`Oi, ${firstName}!`);
  await field.press("Enter");
  await expect(send).toHaveAttribute("aria-busy", "true");
  refused.resolve();
  await expect(page.getByText("O anexo não pôde ser carregado.")).toBeVisible();
  await expect(send).not.toHaveAttribute("aria-busy", "true");
  await expect(field).toHaveValue(`Oi, ${firstName}!`);

  // Enter before the file is there sends both when it is.
  await field.fill(`/${shortcode}`);
  await expect(page.getByRole("option", { name: new RegExp(shortcode) })).toBeVisible();
  const file = Promise.withResolvers<void>();
  await page.route("**/media/*", (route) => file.promise.then(() => route.continue()), { times: 1 });
  // The button chooses as Enter does.
  await send.click();
  await expect(field).toHaveValue(`Oi, ${firstName}!`);
  await field.press("Enter");
  await expect(send).toHaveAttribute("aria-busy", "true");
  file.resolve();
  const sent = async () => (await customer.sees()).filter(({ fromMe }) => !fromMe);
  await expect
    .poll(async () => (await sent()).map(({ kind, text }) => [kind, text.includes(`Oi, ${firstName}!`)]))
    .toEqual([["image", true]]);
  await expect(field).toHaveValue("");
});

/** A general quick reply with a photo, "Segue o boleto"; resolves with its shortcode. */
async function quickReplyWithPhoto(admin: ApiClient): Promise<string> {
  const shortcode = uniqueName("boleto").replaceAll(" ", "");
  const body = { shortcode, message: "Segue o boleto", geral: true };
  const { id } = await admin.call(quickMessages.create, { body });
  const form = new FormData();
  form.set("file", await openAsBlob(photo), "foto.jpg");
  await admin.call(quickMessages.upload, { params: { id }, form });
  return shortcode;
}

/** Chooses that reply while its file is held back; the answer lets the file come. */
async function chooseWithoutFile(page: Page, shortcode: string): Promise<() => void> {
  const file = Promise.withResolvers<void>();
  await page.route("**/media/*", (route) => file.promise.then(() => route.continue()), { times: 1 });
  await page.getByRole("textbox", { name: "Mensagem" }).fill(`/${shortcode}`);
  await page.getByRole("option", { name: new RegExp(shortcode) }).click();
  await expect(page.getByRole("textbox", { name: "Mensagem" })).toHaveValue("Segue o boleto");
  return file.resolve;
}

const sentTo = async (customer: Customer) => (await customer.sees()).filter(({ fromMe }) => !fromMe);

test("a reply that waits for its file is not sent once an edit begins, and neither is the edit (M-10, M-12)", async ({
  at,
  admin,
  customer,
}) => {
  const shortcode = await quickReplyWithPhoto(admin);
  const page = await at(await createUser(admin, uniqueName("Lia")));
  await openWith(page, customer, "E o boleto?");
  await write(page, "Um minuto");
  await expect.poll(async () => (await sentTo(customer)).length).toBe(1);
  const field = page.getByRole("textbox", { name: "Mensagem" });

  const letFileCome = await chooseWithoutFile(page, shortcode);
  await field.press("Enter");
  await expect(page.getByRole("button", { name: "Enviar", exact: true })).toHaveAttribute("aria-busy", "true");
  await chooseInBubble(page, "Um minuto", "Editar");
  await field.fill("Um minuto, po");
  letFileCome();
  await expect(page.getByRole("button", { name: "Tirar foto.jpg" })).toBeVisible();
  await expect(field).toHaveValue("Um minuto, po");
  await field.press("Escape");
  await expect(field).toHaveValue("Segue o boleto");
  const texts = (await sentTo(customer)).map(({ text }) => text);
  expect(texts).toEqual([expect.stringMatching(/Um minuto$/u)]);
});

test("a reply whose conversation was left and opened again while its file comes waits for it (M-12)", async ({
  at,
  admin,
  line,
  customer,
}) => {
  const shortcode = await quickReplyWithPhoto(admin);
  const page = await at(await createUser(admin, uniqueName("Léo")));
  const other = await addCustomer(admin, line, uniqueName("Outro"));
  await openWith(page, other, "Bom dia");
  await openWith(page, customer, "E o boleto?");
  const field = page.getByRole("textbox", { name: "Mensagem" });

  const letFileCome = await chooseWithoutFile(page, shortcode);
  await showMine(page);
  await row(page, other.name).click();
  await expect(bubble(page, "Bom dia")).toBeVisible();
  await row(page, customer.name).click();
  await expect(bubble(page, "E o boleto?")).toBeVisible();
  await expect(field).toHaveValue("Segue o boleto");
  await field.press("Enter");
  await expect(page.getByRole("button", { name: "Enviar", exact: true })).toHaveAttribute("aria-busy", "true");
  letFileCome();
  await expect.poll(async () => (await sentTo(customer)).map(({ kind }) => kind)).toEqual(["image"]);
  await expect(field).toHaveValue("");
});

test("on a phone a text that begins as a quick reply is sent as it is: tapped twice, or its suggestions closed (M-12)", async ({
  at,
  admin,
  customer,
}) => {
  const shortcode = uniqueName("ok").replaceAll(" ", "");
  await admin.call(quickMessages.create, { body: { shortcode, message: "Combinado!", geral: true } });
  await customer.says("Pode ser às dez?");
  const page = await at(await createUser(admin, uniqueName("Ada")), { width: 360, hasTouch: true });
  const list = Promise.withResolvers<void>();
  await page.route("**/quick-messages/list*", (route) => list.promise.then(() => route.continue()));
  await acceptByTouch(page, customer.name);
  const field = page.getByRole("textbox", { name: "Mensagem" });
  const send = page.getByRole("button", { name: "Enviar", exact: true });
  const sent = async () => (await sentTo(customer)).map(({ text }) => text);

  await field.fill("/ok");
  await send.tap();
  await expect(page.getByText("toque em Enviar de novo")).toBeVisible();
  await expect(field).toHaveValue("/ok");
  await expect(async () => {
    await send.tap();
    await expect(field).toHaveValue("", { timeout: 1_000 });
  }).toPass();
  await expect.poll(sent).toEqual([expect.stringContaining("/ok")]);

  list.resolve();
  await field.fill(`/${shortcode}`);
  await expect(page.getByRole("option", { name: new RegExp(shortcode) })).toBeVisible();
  await page.getByRole("button", { name: "Fechar as respostas rápidas" }).tap();
  await expect(page.getByRole("option", { name: new RegExp(shortcode) })).toBeHidden();
  await send.tap();
  await expect.poll(sent).toEqual([expect.stringContaining("/ok"), expect.stringContaining(`/${shortcode}`)]);
});

test("emoji and variables go where the cursor stands (M-08, M-13)", async ({ at, admin, customer }) => {
  const page = await at(await createUser(admin, uniqueName("Eva")));
  await openWith(page, customer, "Oi");
  const field = page.getByRole("textbox", { name: "Mensagem" });
  await field.fill("ab");
  await field.press("ArrowLeft");
  await page.getByRole("button", { name: "Emoji" }).click();
  await page.locator("emoji-picker").getByRole("menuitem", { name: /^😀/ }).click();
  await expect(field).toHaveValue("a😀b");
  await page.keyboard.press("Escape");
  await field.fill("");
  await write(page, "{{firstName}}, anotado.");
  await expect(bubble(page, `${customer.name.split(" ")[0]}, anotado.`)).toBeVisible();
});

test("the search finds by tag, and for an admin by agent (T-03)", async ({ at, admin, customer }) => {
  const agent = await createUser(admin, uniqueName("Gil"));
  await customer.says("Onde estou?");
  const { id } = await ticketOf(admin, customer.name);
  await admin.call(tickets.update, { params: { id }, body: { status: "open", userId: agent.id } });
  const chief = await at(await createUser(admin, uniqueName("Chefe"), { profile: "admin" }));

  await chief.getByRole("tab", { name: "Buscar" }).click();
  await chief.getByRole("button", { name: "Atendentes" }).click();
  await chief.getByRole("dialog", { name: "Atendentes" }).getByRole("option", { name: agent.name }).click();
  await chief.keyboard.press("Escape");
  await expect(row(chief, customer.name)).toBeVisible();
  await expect(chief.getByTestId("ticket-list").getByRole("listitem")).toHaveCount(1);

  const own = await at(agent);
  await own.getByRole("tab", { name: "Buscar" }).click();
  await expect(own.getByRole("button", { name: "Etiquetas" })).toBeVisible();
  await expect(own.getByRole("button", { name: "Atendentes" })).toHaveCount(0);
});
