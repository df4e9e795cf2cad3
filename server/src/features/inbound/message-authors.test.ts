import { contacts, users } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { createBotScenario, createFakeLineApp, messageFrom } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import { aUser } from "#server/testing/factories.ts";
import type { TestUser } from "#server/testing/factories.ts";

let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  fakeLineApp = await createFakeLineApp(createMessagesFeature);
});
afterAll(() => fakeLineApp.app.close());

const maria = "5511988887777";

/** Whose words the list shows, and the view of the ticket alone too. */
async function listedAuthor(scenario: BotScenario, phone = maria) {
  const { id, lastMessageAuthor } = await scenario.ticketOf(phone);
  expect((await scenario.admin.get(`/tickets/${id}`)).body).toMatchObject({ lastMessageAuthor });
  return lastMessageAuthor;
}

/** One batch of the line: a message that was typed on the paired phone. */
async function typeOnPhone(scenario: BotScenario, text: string): Promise<void> {
  await scenario.receive([messageFrom(maria, text, scenario.clock.now(), { fromMe: true })]);
}

const by = ({ userId: id, name }: TestUser) => ({ kind: "user", user: { id, name } });

test("the list names the author of the last words: bot, notice, agent, colleague, phone, contact (T-04, B-03)", async () => {
  const scenario = await createBotScenario(fakeLineApp);
  await scenario.saveSetting("sendGreetingAccepted", "enabled");
  const ana = await aUser(scenario.company, { name: "Ana Lima", allTicket: true });
  const me = scenario.company.admin;

  await scenario.sendTexts(maria, "oi");
  expect(await listedAuthor(scenario)).toEqual({ kind: "bot" });

  const { id } = await scenario.ticketOf(maria);
  await scenario.app.as(ana).put(`/tickets/${id}`, { status: "open" });
  await scenario.app.settle();
  expect(await scenario.ticketOf(maria)).toMatchObject({
    userId: ana.userId,
    lastMessage: expect.stringContaining("Ana"),
  });
  expect(await listedAuthor(scenario)).toEqual({ kind: "bot" });

  await scenario.app.as(ana).post(`/messages/${id}`, { body: "Em que posso ajudar?" });
  expect(await listedAuthor(scenario)).toEqual(by(ana));

  // the ticket stays Ana's
  await scenario.admin.post(`/messages/${id}`, { body: "A entrega é amanhã." });
  expect(await listedAuthor(scenario)).toEqual(by(me));

  scenario.clock.advance({ seconds: 5 });
  await typeOnPhone(scenario, "do telefone");
  expect(await listedAuthor(scenario)).toEqual({ kind: "phone" });

  await scenario.sendTexts(maria, "obrigada");
  expect(await listedAuthor(scenario)).toBeNull();
});

test("an edit keeps the author, and one whose account was deleted is still no bot and no phone (T-04)", async () => {
  const scenario = await createBotScenario(fakeLineApp);
  await scenario.sendTexts(maria, "oi");
  const ana = await aUser(scenario.company, { name: "Ana Lima", allTicket: true });
  const { id } = await scenario.ticketOf(maria);
  await scenario.app.as(ana).put(`/tickets/${id}`, { status: "open" });
  const { body } = await scenario.app.as(ana).post<{ id: number }[]>(`/messages/${id}`, { body: "amanhã" });
  await scenario.app.settle();
  await scenario.app.as(ana).post(`/messages/edit/${body[0]!.id}`, { body: "hoje" });
  expect(await scenario.ticketOf(maria)).toMatchObject({
    lastMessage: "hoje",
    lastMessageAuthor: by(ana),
  });

  expect((await scenario.admin.call(users.remove, { params: { id: ana.userId } })).status).toBe(200);
  await scenario.app.settle();
  expect(await listedAuthor(scenario)).toEqual({ kind: "user", user: null });
});

test("two conversations that become one show the author of the later words, and their own after the undo (T-04, C-06)", async () => {
  const scenario = await createBotScenario(fakeLineApp);
  const joana = "5511977776666";
  await scenario.sendTexts(joana, "oi");
  scenario.clock.advance({ minutes: 1 });
  await scenario.sendTexts(maria, "oi");
  const [kept, gone] = [await scenario.ticketOf(maria), await scenario.ticketOf(joana)];
  await scenario.admin.put(`/tickets/${gone.id}`, { status: "open" });
  scenario.clock.advance({ minutes: 1 });
  await scenario.admin.post(`/messages/${gone.id}`, { body: "Bom dia, Joana" });
  const mine = by(scenario.company.admin);

  const merged = await scenario.admin.call(contacts.merge, {
    params: { id: kept.contactId },
    body: { contactId: gone.contactId },
  });
  expect(merged.status).toBe(200);
  expect(await listedAuthor(scenario)).toEqual(mine);

  await scenario.admin.call(contacts.undoMerge, { params: { id: merged.body.id } });
  expect([await listedAuthor(scenario), await listedAuthor(scenario, joana)]).toEqual([{ kind: "bot" }, mine]);
});

test("a quotation names the bot or the agent whose words the contact answers (M-09, B-03)", async () => {
  const scenario = await createBotScenario(fakeLineApp);
  const quote = async (text: string) => {
    const quotedWaId = scenario.line.sent.at(-1)!.waId;
    await scenario.receive([messageFrom(maria, text, scenario.clock.now(), { quotedWaId })]);
    return (await scenario.messagesOf(maria)).find(({ body }) => body === text)!.quotedMsg;
  };
  await scenario.sendTexts(maria, "oi");
  expect(await quote("essa?")).toMatchObject({ fromMe: true, isAutomatic: true, user: null });

  const { admin, company } = scenario;
  const { id } = await scenario.ticketOf(maria);
  await admin.put(`/tickets/${id}`, { status: "open" });
  await admin.post(`/messages/${id}`, { body: "Em que posso ajudar?" });
  await scenario.app.settle();
  expect(await quote("com isto")).toMatchObject({ fromMe: true, isAutomatic: false, user: by(company.admin).user });
});
