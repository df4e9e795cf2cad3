import { messages, tickets } from "@prosa/contract";
import { addCustomer, signInToApi, uniqueName, createUser, createQueue, ticketOf } from "./support/api.ts";
import { accept, acceptButton, clickTicketAction, row, showMine, showWaiting, write } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";

test("what one agent does, the other sees without touching anything (T-02, T-04, T-22)", async ({
  at,
  admin,
  customer,
}) => {
  const [vera, igor] = [await createUser(admin, uniqueName("Vera")), await createUser(admin, uniqueName("Igor"))];
  const [here, there] = [await at(vera), await at(igor)];
  await showWaiting(here);
  await showWaiting(there);

  await customer.says("Tem alguém aí?");
  await expect(row(here, customer.name)).toContainText("Tem alguém aí?");
  await expect(row(there, customer.name)).toBeVisible();

  await accept(here, customer.name);
  await expect(row(there, customer.name)).toBeHidden();

  await write(here, "Um momento, por favor.");
  await clickTicketAction(here, "Devolver");
  await expect(row(there, customer.name)).toContainText("Vera: Um momento, por favor.");
  await showWaiting(here);
  await expect(row(here, customer.name)).toContainText("Você: Um momento, por favor.");
});

test("of two who accept at once, the second is told who was first, busy with another one too (T-12)", async ({
  at,
  admin,
  line,
  customer,
}) => {
  const [vera, igor] = [await createUser(admin, uniqueName("Vera")), await createUser(admin, uniqueName("Igor"))];
  const [winner, page] = [await signInToApi(admin.url, vera), await at(igor)];
  const other = await addCustomer(admin, line, uniqueName("Outro"));
  await other.says("E a mim?");
  await customer.says("Quem atende?");
  const { id } = await ticketOf(admin, customer.name);
  await showWaiting(page);
  await expect(row(page, customer.name)).toBeVisible();
  await expect(row(page, other.name)).toBeVisible();

  // Hold the request until the colleague has accepted it, and this agent the next one.
  await page.route(`**/tickets/${id}`, async (route) => {
    if (route.request().method() === "PUT") {
      await winner.call(tickets.update, { params: { id }, body: { status: "open", userId: vera.id } });
      await expect.poll(async () => (await ticketOf(admin, other.name)).status).toBe("open");
    }
    await route.continue();
  });
  await acceptButton(page, customer.name).click();
  await acceptButton(page, other.name).click();
  await expect(page.getByText(`${vera.name} já aceitou esta conversa.`)).toBeVisible();
});

test("the answer to who started the conversation waits for them, and says so to everybody (T-16, N-02)", async ({
  at,
  admin,
  line,
  customer,
}) => {
  const queueId = await createQueue(admin, uniqueName("Vendas"), "#0a7d56");
  const vera = await createUser(admin, uniqueName("Vera"), { queueIds: [queueId], allTicket: false });
  const igor = await createUser(admin, uniqueName("Igor"), { queueIds: [queueId] });
  await customer.says("Quanto custa?");
  const { id, contactId } = await ticketOf(admin, customer.name);
  await admin.call(tickets.update, { params: { id }, body: { status: "open" } });
  await admin.call(tickets.update, { params: { id }, body: { status: "closed" } });
  const veras = await signInToApi(admin.url, vera);
  await veras.call(tickets.create, { body: { contactId, queueId, whatsappId: line.id } });
  await veras.call(messages.send, { params: { ticketId: id }, body: { body: "Segue a proposta." } });
  await veras.call(tickets.update, { params: { id }, body: { status: "closed" } });
  const [here, there] = [await at(vera), await at(igor)];
  await showWaiting(here);
  await showWaiting(there);
  await customer.says("Fechado!");

  await expect(row(here, customer.name)).toContainText("Espera por você");
  await expect(row(there, customer.name)).toContainText(`Espera por ${vera.name}`);
  await expect(here.getByRole("button", { name: "Conversas não lidas" })).toContainText("1");
  await accept(here, customer.name);
  await expect(row(there, customer.name)).toBeHidden();
});

test("a conversation of a foreign queue is refused, and the agent is back at the list (T-17)", async ({
  at,
  admin,
  customer,
}) => {
  const queueId = await createQueue(admin, uniqueName("Jurídico"), "#7a4fa3");
  await customer.says("É sobre o contrato.");
  const { id, uuid } = await ticketOf(admin, customer.name);
  await admin.call(tickets.update, { params: { id }, body: { queueId, status: "pending", userId: null } });

  const page = await at(await createUser(admin, uniqueName("Caio"), { allTicket: false }));
  await page.goto(`/tickets/${uuid}`);
  await expect(page.getByText("Acesso não permitido")).toBeVisible();
  await expect(page).toHaveURL(/\/tickets$/);
});

test("who looks at a conversation that is deleted is told and led away (T-18)", async ({ at, admin, customer }) => {
  const page = await at(await createUser(admin, uniqueName("Lia")));
  await customer.says("Pode apagar tudo.");
  await accept(page, customer.name);

  const { id } = await ticketOf(admin, customer.name);
  await admin.call(tickets.remove, { params: { id } });
  await expect(page.getByText("A conversa que você via foi excluída.")).toBeVisible();
  await expect(page).toHaveURL(/\/tickets$/);
  await showMine(page);
  await expect(row(page, customer.name)).toBeHidden();
});
