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

test("what the customer writes right after an edit is a message of its own; an edit that fails comes back (W-07, W-08)", async ({
  admin,
  at,
  line,
  customer,
}) => {
  await customer.says("Quero duas");
  const phone = await at(await createUser(admin, uniqueName("Nair"), { profile: "admin" }));
  await phone.goto(`/simulator/${line.id}`);
  await phone.getByRole("button", { name: new RegExp(customer.name) }).click();
  const shown = phone.locator("[data-sim-message]");
  const field = phone.getByRole("textbox", { name: "Mensagem" });
  const edit = async () => {
    await shown.first().hover();
    await shown.first().getByRole("button", { name: "Ações" }).click();
    await phone.getByRole("menuitem", { name: "Editar" }).click();
  };
  const path = /\/people\/\d+\/messages$/u;
  const isSent = Promise.withResolvers<void>();
  await phone.route(path, (route) => isSent.promise.then(() => route.continue()));
  await edit();
  await field.fill("Quero três");
  await field.press("Enter");
  await field.fill("Para sexta");
  await field.press("Enter");
  await field.fill("E um la");
  isSent.resolve();
  await expect(shown).toHaveCount(2);
  await expect(shown.first()).toContainText("Quero três");
  await expect(shown.last()).toContainText("Para sexta");
  await expect(field).toHaveValue("E um la");

  await phone.unroute(path);
  await phone.route(path, (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
  await edit();
  await field.fill("Quero quatro");
  await field.press("Enter");
  // What was begun before the edit is there again, and the refused edit after it.
  await expect(field).toHaveValue("E um la");
  await expect(
    phone.getByRole("alert").or(phone.getByRole("status")).filter({ hasText: "conexão" }).first(),
  ).toBeVisible();
  await phone.unroute(path);
  await field.fill("E um lápis");
  await field.press("Enter");
  await expect(field).toHaveValue("Quero quatro");
  await field.press("Enter");
  await expect(shown.first()).toContainText("Quero quatro");
  await expect(shown).toHaveCount(3);
});
