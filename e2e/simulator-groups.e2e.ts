import { setTimeout } from "node:timers/promises";
import { connections, messages, simulator, tickets } from "@prosa/contract";
import { uniqueName, createUser, ticketOf } from "./support/api.ts";
import { choose } from "./support/fields.ts";
import { expect, test } from "./support/journey.ts";

const name = "Condomínio Jardim das Acácias";

test("the demo's group can be written to, and its members answer from the phone screen (W-07, M-17)", async ({
  admin,
  at,
}) => {
  const lines = await admin.call(connections.list, { query: {} });
  const line = lines.find(({ isDefault }) => isDefault)!;
  const people = () => admin.call(simulator.people, { params: { id: line.id } });
  await expect
    .poll(async () => (await people()).groups.map((group) => group.name), { timeout: 60_000 })
    .toContain(name);
  const ticket = await ticketOf(admin, name);
  await admin.call(tickets.update, { params: { id: ticket.id }, body: { status: "open", userId: admin.userId } });
  await admin.call(messages.send, { params: { ticketId: ticket.id }, body: { body: "Entregamos em dois dias." } });

  const phone = await at(await createUser(admin, uniqueName("Nara"), { profile: "admin" }));
  await phone.goto(`/simulator/${line.id}`);
  await phone.getByRole("button", { name: new RegExp(name) }).click();
  const shown = (text: string) => phone.locator("[data-sim-message]").filter({ hasText: text });
  await expect(shown("Qual o prazo?")).toContainText("Léo 1104");
  await expect(shown("Entregamos em dois dias.")).toBeVisible();

  await choose(phone.getByRole("combobox", { name: "Escrever como" }), "Bete 302");
  await phone.getByRole("textbox", { name: "Mensagem" }).fill("Ótimo, obrigada!");
  await phone.getByRole("button", { name: "Enviar como Bete 302" }).click();
  const heard = async () => {
    const { messages: all } = await admin.call(messages.list, { params: { ticketId: ticket.id }, query: {} });
    return all.map(({ body, ack, fromMe }) => ({ body, isSent: fromMe && ack > 0 }));
  };
  await expect.poll(heard).toContainEqual({ body: "Entregamos em dois dias.", isSent: true });
  await expect.poll(heard).toContainEqual({ body: "Ótimo, obrigada!", isSent: false });
});

test("what a person writes in one go arrives in the order written (W-07, W-08)", async ({
  admin,
  at,
  line,
  customer,
}) => {
  const phone = await at(await createUser(admin, uniqueName("Nilo"), { profile: "admin" }));
  let isFirst = true;
  await phone.route(/\/people\/\d+\/messages$/, async (route) => {
    // Requests may be delayed in any order.
    if (route.request().method() === "POST" && isFirst) {
      isFirst = false;
      await setTimeout(1_000);
    }
    await route.continue();
  });
  await phone.goto(`/simulator/${line.id}`);
  await phone.getByRole("button", { name: new RegExp(customer.name) }).click();
  for (const text of ["um", "dois", "três"]) {
    await phone.getByRole("textbox", { name: "Mensagem" }).fill(text);
    await phone.getByRole("textbox", { name: "Mensagem" }).press("Enter");
  }

  const words = async () => {
    const { id } = await ticketOf(admin, customer.name);
    const { messages: all } = await admin.call(messages.list, { params: { ticketId: id }, query: { peek: "true" } });
    return all.filter(({ fromMe }) => !fromMe).map(({ body }) => body);
  };
  await expect.poll(words, { timeout: 30_000 }).toEqual(["um", "dois", "três"]);
});
