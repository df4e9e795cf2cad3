import { tickets } from "@prosa/contract";
import { callAs, called, hire, openQueue, ticketOf } from "./support/api.ts";
import { accept, move, row, showMine, showWaiting } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";

test("what one agent does, the other sees without touching anything (T-02, T-22)", async ({ at, admin, customer }) => {
  const [vera, igor] = [await hire(admin, called("Vera")), await hire(admin, called("Igor"))];
  const [here, there] = [await at(vera), await at(igor)];
  await showWaiting(here);
  await showWaiting(there);

  await customer.says("Tem alguém aí?");
  await expect(row(here, customer.name)).toContainText("Tem alguém aí?");
  await expect(row(there, customer.name)).toBeVisible();

  await accept(here, customer.name);
  await expect(row(there, customer.name)).toBeHidden();

  await move(here, "Devolver");
  await expect(row(there, customer.name)).toBeVisible();
});

test("of two who accept at once, the second is told who was first (T-12)", async ({ at, admin, customer }) => {
  const [vera, igor] = [await hire(admin, called("Vera")), await hire(admin, called("Igor"))];
  const [winner, page] = [await callAs(admin.url, vera), await at(igor)];
  await customer.says("Quem atende?");
  const { id } = await ticketOf(admin, customer.name);
  await showWaiting(page);
  await expect(row(page, customer.name)).toBeVisible();

  // The click is held on its way until the colleague was faster.
  await page.route(`**/tickets/${id}`, async (route) => {
    if (route.request().method() === "PUT") {
      await winner.call(tickets.update, { params: { id }, body: { status: "open", userId: vera.id } });
    }
    await route.continue();
  });
  await row(page, customer.name).getByRole("button", { name: "Aceitar" }).click();
  await expect(page.getByText(`${vera.name} já aceitou esta conversa.`)).toBeVisible();
});

test("a conversation of a foreign queue is refused, and the agent is back at the list (T-17)", async ({
  at,
  admin,
  customer,
}) => {
  const queueId = await openQueue(admin, called("Jurídico"), "#7a4fa3");
  await customer.says("É sobre o contrato.");
  const { id, uuid } = await ticketOf(admin, customer.name);
  await admin.call(tickets.update, { params: { id }, body: { queueId, status: "pending", userId: null } });

  const page = await at(await hire(admin, called("Caio"), { allTicket: false }));
  await page.goto(`/tickets/${uuid}`);
  await expect(page.getByText("Acesso não permitido")).toBeVisible();
  await expect(page).toHaveURL(/\/tickets$/);
});

test("who looks at a conversation that is deleted is told and led away (T-18)", async ({ at, admin, customer }) => {
  const page = await at(await hire(admin, called("Lia")));
  await customer.says("Pode apagar tudo.");
  await accept(page, customer.name);

  const { id } = await ticketOf(admin, customer.name);
  await admin.call(tickets.remove, { params: { id } });
  await expect(page.getByText("A conversa que você via foi excluída.")).toBeVisible();
  await expect(page).toHaveURL(/\/tickets$/);
  await showMine(page);
  await expect(row(page, customer.name)).toBeHidden();
});
