import type { Page } from "@playwright/test";
import { contacts, pageSize, tags, tickets } from "@prosa/contract";
import {
  uniqueName,
  createUser,
  addCustomer,
  connectLine,
  createQueue,
  ticketOf,
  type ApiClient,
  type Customer,
} from "./support/api.ts";
import { backOfAndroid, keepLastWatcher } from "./support/back.ts";
import { accept, bubble, row, showMine, showWaiting } from "./support/desk.ts";
import { choose } from "./support/fields.ts";
import { expect, test } from "./support/journey.ts";

const bar = (page: Page) => page.getByRole("toolbar", { name: "Ações para as conversas selecionadas" });
const box = (page: Page, name: string) => page.getByRole("checkbox", { name: `Selecionar a conversa com ${name}` });

/** Three customers wait in a queue of their own, and an agent serves it. */
async function aQueueOfThree(admin: ApiClient, line: Parameters<typeof addCustomer>[1]) {
  const queueId = await createQueue(admin, uniqueName("Entregas"), colorOf());
  const agent = await createUser(admin, uniqueName("Rita"), { queueIds: [queueId], allTicket: false });
  const customers: Customer[] = [];
  for (const name of ["Alfa", "Beta", "Gama"]) {
    const customer = await addCustomer(admin, line, uniqueName(name));
    await customer.says("Cadê o meu pedido?");
    const { id } = await ticketOf(admin, customer.name);
    await admin.call(tickets.update, { params: { id }, body: { queueId } });
    customers.push(customer);
  }
  // the newest message is on top
  return { agent, queueId, names: customers.toReversed().map(({ name }) => name), customers };
}

let shade = 0;
const colorOf = () => `#4b${(16 + (shade += 1)).toString(16)}7d`;

test("rows are chosen by box, Shift and key, accepted together, and taken back as they were (T-08, T-10)", async ({
  at,
  admin,
  line,
}) => {
  const { agent, names } = await aQueueOfThree(admin, line);
  const page = await at(agent);
  await showWaiting(page);
  await expect(row(page, names[2]!)).toBeVisible();
  // what is said in the same second may be in any order
  const shown = await page.getByTestId("ticket-list").getByRole("listitem").allTextContents();
  const placeOf = (name: string) => shown.findIndex((text) => text.includes(name));
  const [first, second, third] = names.toSorted((a, b) => placeOf(a) - placeOf(b)) as [string, string, string];

  await row(page, first).hover();
  await box(page, first).click();
  await expect(bar(page)).toContainText("1 selecionada");
  await box(page, third).click({ modifiers: ["Shift"] });
  await expect(bar(page)).toContainText("3 selecionadas");
  await expect(box(page, second)).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(bar(page)).toBeHidden();

  // the same by keyboard
  await row(page, first).getByRole("button", { name: first }).focus();
  await page.keyboard.press("x");
  await expect(box(page, first)).toBeChecked();
  await bar(page).getByRole("button", { name: "Todas (3)" }).click();
  await expect(bar(page)).toContainText("3 selecionadas");
  await bar(page).getByRole("button", { name: "Aceitar" }).focus();
  await page.keyboard.press("Enter");

  await expect(page.getByText("3 conversas aceitas.")).toBeVisible();
  await expect(row(page, first)).toBeHidden();
  await page.getByRole("button", { name: "Desfazer" }).click();
  await expect(page.getByText(/Desfeito em 3 conversas/)).toBeVisible();
  for (const name of names) {
    await expect(row(page, name)).toBeVisible();
    expect(await ticketOf(admin, name)).toMatchObject({ status: "pending", userId: null });
  }
});

test("a list whose loaded rows are all gone goes on with the next ones (T-05, T-10)", async ({ at, alone }) => {
  const agent = await createUser(alone, uniqueName("Rita"));
  const contactIds: number[] = [];
  for (let index = 0; index < pageSize.tickets + 3; index += 1) {
    const body = { name: uniqueName("Fila"), number: `55119${80_000_000 + index}` };
    contactIds.push((await alone.call(contacts.create, { body })).id);
  }
  // Afterwards: its phone would be asked whether these numbers are anybody's.
  await connectLine(alone, uniqueName("Linha"));
  for (const contactId of contactIds) {
    await alone.call(tickets.create, { body: { contactId, userId: agent.id } });
  }
  const page = await at(agent);
  await showMine(page);
  const rows = page.getByTestId("ticket-list").getByRole("listitem");
  await rows.first().hover();
  await rows.first().getByRole("checkbox").click();
  await bar(page)
    .getByRole("button", { name: `Todas (${pageSize.tickets})` })
    .click();
  await bar(page).getByRole("button", { name: "Resolver" }).click();
  await expect(page.getByText(`${pageSize.tickets} conversas resolvidas.`)).toBeVisible();
  await expect(rows).toHaveCount(3);
});

test("what is resolved together is told to contacts only when it cannot be taken back any more (T-10)", async ({
  at,
  admin,
  line,
}) => {
  const { agent, names } = await aQueueOfThree(admin, line);
  const page = await at(agent);
  await showWaiting(page);
  await box(page, names[0]!).click({ force: true });
  await bar(page).getByRole("button", { name: "Todas (3)" }).click();
  await bar(page).getByRole("button", { name: "Aceitar" }).click();
  await showMine(page);
  await expect(row(page, names[2]!)).toBeVisible();

  await box(page, names[0]!).click({ force: true });
  await box(page, names[1]!).click();
  await bar(page).getByRole("button", { name: "Resolver" }).click();
  await expect(page.getByText("2 conversas resolvidas.")).toBeVisible();
  await expect(row(page, names[0]!)).toBeHidden();
  await expect(row(page, names[2]!)).toBeVisible();
  await page.getByRole("button", { name: "Desfazer" }).click();
  await expect(page.getByText("nenhum contato foi avisado")).toBeVisible();
  await expect(row(page, names[0]!)).toBeVisible();
});

test("what could not be taken back while the line was down can be once it is up again (T-10, N-05)", async ({
  at,
  admin,
  line,
}) => {
  const { agent, names } = await aQueueOfThree(admin, line);
  const page = await at(agent);
  await showWaiting(page);
  await row(page, names[0]!).hover();
  await box(page, names[0]!).click();
  await bar(page).getByRole("button", { name: "Aceitar" }).click();
  await expect(page.getByText("1 conversa aceita.")).toBeVisible();

  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Desfazer" }).click();
  await expect(page.getByText(/Sem conexão/).last()).toBeVisible();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Desfazer" }).click();
  await expect(page.getByText(/Desfeito em 1 conversa/)).toBeVisible();
  await expect(row(page, names[0]!)).toBeVisible();
});

test("chosen ones are tagged and handed to another queue, and come back (T-14, T-20)", async ({ at, admin, line }) => {
  const { agent, names } = await aQueueOfThree(admin, line);
  const other = uniqueName("Trocas");
  await createQueue(admin, other, colorOf());
  const tag = uniqueName("Urgente");
  await admin.call(tags.create, { body: { name: tag } });
  const page = await at(agent);
  await showWaiting(page);

  await box(page, names[0]!).click({ force: true });
  await box(page, names[1]!).click();
  await bar(page).getByRole("button", { name: "Etiquetar" }).click();
  await page.getByRole("dialog", { name: "Etiquetar" }).getByRole("option", { name: tag }).click();
  await expect(page.getByText("2 conversas etiquetadas.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(row(page, names[1]!)).toContainText(tag);
  await expect(row(page, names[2]!)).not.toContainText(tag);

  await bar(page).getByRole("button", { name: "Transferir" }).click();
  const dialog = page.getByRole("dialog", { name: "Transferir 2 conversas" });
  await choose(dialog.getByLabel("Fila"), other);
  await dialog.getByRole("button", { name: "Transferir" }).click();
  await expect(page.getByText("2 conversas transferidas.")).toBeVisible();
  await expect(row(page, names[0]!)).toBeHidden();
  await page.getByRole("button", { name: "Desfazer" }).click();
  await expect(row(page, names[0]!)).toContainText(tag);
  await expect(row(page, names[1]!)).toBeVisible();
});

test("the transfer of chosen ones stays open when a colleague takes them meanwhile, and hands them on (T-10, T-14)", async ({
  at,
  admin,
  line,
}) => {
  const { agent, names } = await aQueueOfThree(admin, line);
  const other = uniqueName("Trocas");
  await createQueue(admin, other, colorOf());
  const page = await at(agent);
  await showWaiting(page);
  await box(page, names[0]!).click({ force: true });
  await bar(page).getByRole("button", { name: "Transferir" }).click();
  const dialog = page.getByRole("dialog", { name: "Transferir 1 conversa" });
  await expect(dialog).toBeVisible();

  const { id } = await ticketOf(admin, names[0]!);
  await admin.call(tickets.update, { params: { id }, body: { status: "open", userId: admin.userId } });
  await expect(row(page, names[0]!)).toBeHidden();
  await choose(dialog.getByLabel("Fila"), other);
  await dialog.getByRole("button", { name: "Transferir" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(/^1 (conversa transferida|ficou como estava)/)).toBeVisible();
});

test("on a phone a long press begins, taps go on, and everything stays within 360 px (T-01, S-11)", async ({
  at,
  admin,
  line,
}) => {
  const { agent, names } = await aQueueOfThree(admin, line);
  const page = await at(agent, {
    width: 360,
    hasTouch: true,
    prepare: (context) => context.addInitScript(keepLastWatcher),
  });
  await showWaiting(page);
  await longPress(page, names[0]!);
  await expect(bar(page)).toContainText("1 selecionada");
  await row(page, names[1]!).getByRole("button", { name: names[1]! }).tap();
  await expect(bar(page)).toContainText("2 selecionadas");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);

  await bar(page).getByRole("button", { name: "Aceitar" }).tap();
  await expect(page.getByText("2 conversas aceitas.")).toBeVisible();
  await expect(row(page, names[0]!)).toBeHidden();
  await expect(row(page, names[2]!)).toBeVisible();

  // Back leaves the selection and not the list
  await longPress(page, names[2]!);
  await backOfAndroid(page);
  await expect(bar(page)).toBeHidden();
  await expect(row(page, names[2]!)).toBeVisible();
});

/** A long press: pointer events as a touch screen sends them. */
async function longPress(page: Page, name: string): Promise<void> {
  const target = row(page, name).getByRole("button", { name });
  await target.dispatchEvent("pointerdown", { pointerType: "touch", isPrimary: true, bubbles: true });
  await expect(bar(page)).toBeVisible();
  await target.dispatchEvent("pointerup", { pointerType: "touch", isPrimary: true, bubbles: true });
}

test("the menu of a conversation schedules a message, hands it on and deletes it (T-19)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Nina"), { profile: "admin" }));
  await customer.says("Me lembrem amanhã?");
  await accept(page, customer.name);
  await expect(bubble(page, "Me lembrem amanhã?")).toBeVisible();
  const choose = async (action: string) => {
    await page.getByRole("button", { name: "Mais opções" }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };

  await choose("Agendar mensagem");
  const dialog = page.getByRole("dialog", { name: /Agendar mensagem para/ });
  await dialog.getByLabel("Mensagem", { exact: true }).fill("Oi");
  await dialog.getByRole("button", { name: "Agendar" }).click();
  await expect(dialog.getByText("Mensagem muito curta")).toBeVisible();
  await dialog.getByLabel("Mensagem", { exact: true }).fill("Passando para lembrar!");
  await dialog.getByRole("button", { name: "Agendar" }).click();
  await expect(page.getByText("Agendamento salvo com sucesso.")).toBeVisible();

  // Another one that is changed in the dialog of an unsent reply leaves that reply alone.
  const field = page.getByRole("textbox", { name: "Mensagem" });
  await field.fill("Ainda não enviei isto");
  await page.getByRole("button", { name: "Enviar mais tarde" }).click();
  await page.getByRole("button", { name: /^Editar.*Passando para lembrar!/ }).click();
  await page.getByRole("dialog").getByLabel("Mensagem", { exact: true }).fill("Passando para lembrar de novo!");
  await page.getByRole("button", { name: "Salvar" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(field).toHaveValue("Ainda não enviei isto");
  await field.fill("");

  await choose("Agendar mensagem");
  const known = page.getByRole("region", { name: "Agendadas para este contato" });
  await expect(known).toContainText("Passando para lembrar de novo!");
  await expect(known).toContainText("Pendente");
  await known.getByRole("button", { name: /^Excluir/ }).click();
  await page.getByRole("button", { name: "Excluir", exact: true }).click();
  await expect(known).toBeHidden();
  await page.getByRole("button", { name: "Cancelar" }).click();

  await choose("Transferir");
  await expect(page.getByRole("dialog", { name: /Transferir a conversa com/ })).toBeVisible();
  await page.getByRole("button", { name: "Cancelar" }).click();

  await choose("Excluir conversa");
  await page.getByRole("button", { name: "Excluir", exact: true }).click();
  await expect(page).toHaveURL(/\/tickets$/);
  await expect(row(page, customer.name)).toBeHidden();
});
