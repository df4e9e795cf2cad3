import { contacts, scheduledMessages } from "@prosa/contract";
import type { Schedule } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { createFakeLineApp, createBotScenario, inAnotherProcess } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import type { TestUser } from "#server/testing/factories.ts";
import { aCompany, aContact, aUser } from "#server/testing/factories.ts";

let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  fakeLineApp = await createFakeLineApp(createMessagesFeature);
});
afterAll(() => fakeLineApp.app.close());

const maria = "5511988887777";
const inMinutes = (scenario: BotScenario, minutes: number) =>
  new Date(scenario.clock.now().getTime() + minutes * 60_000).toISOString();

async function aDesk(): Promise<BotScenario & { readonly contactId: number }> {
  const scenario = await createBotScenario(fakeLineApp);
  await scenario.sendTexts(maria, "oi");
  return { ...scenario, contactId: (await scenario.ticketOf(maria)).contactId };
}

async function scheduled(
  scenario: BotScenario & { readonly contactId: number },
  body = "Oi {{firstName}}, tudo certo?",
) {
  const wish = { body, contactId: scenario.contactId, sendAt: inMinutes(scenario, 60) };
  const made = await scenario.admin.call(scheduledMessages.create, { body: wish });
  expect(made.status).toBe(200);
  return made.body;
}

async function switched({ app, company }: BotScenario, isOn: boolean): Promise<void> {
  await app.db.system.updateTable("companies").set({ is_active: isOn }).where("id", "=", company.id).execute();
  app.services.sessions.forgetCompany(company.id);
}

const read = async (scenario: BotScenario, { id }: Schedule) =>
  (await scenario.admin.call(scheduledMessages.get, { params: { id } })).body;

test("a scheduled message is sent at its time, once by two processes, and not before (T-19, O-03)", async () => {
  const scenario = await aDesk();
  const other = await inAnotherProcess(scenario);
  const made = await scheduled(scenario);
  expect(made).toMatchObject({ status: "PENDENTE", sentAt: null, contact: { name: "Maria" }, user: { name: "Admin" } });

  scenario.clock.advance({ minutes: 59 });
  expect(await scenario.receivedTexts(maria)).toEqual([]);
  scenario.clock.advance({ minutes: 1 });
  await Promise.all([scenario.app.settle(), other.app.settle()]);
  scenario.clock.advance({ minutes: 60 });
  expect(await scenario.receivedTexts(maria)).toEqual(["Oi Maria, tudo certo?"]);

  expect(await read(scenario, made)).toMatchObject({
    status: "ENVIADA",
    sentAt: made.sendAt,
    isLate: false,
    error: null,
  });
  expect((await scenario.messagesOf(maria)).at(-1)).toMatchObject({ isAutomatic: true });
});

test("the conversation stays as it is; who was never written to gets one that nobody serves (O-03)", async () => {
  const scenario = await aDesk();
  const { id } = await scenario.ticketOf(maria);
  await scenario.admin.put(`/tickets/${id}`, { status: "open" });
  await scenario.admin.put(`/tickets/${id}`, { status: "closed" });
  await scenario.receivedTexts(maria);
  const joao = "5511977776666";
  const { id: contactId } = await aContact(scenario.company, { name: "João Souza", number: joao });
  await scheduled(scenario);
  await scheduled({ ...scenario, contactId });

  scenario.clock.advance({ minutes: 60 });
  expect(await scenario.receivedTexts(maria)).toEqual(["Oi Maria, tudo certo?"]);
  expect(await scenario.receivedTexts(joao)).toEqual(["Oi João, tudo certo?"]);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed" });
  expect(await scenario.ticketOf(joao)).toMatchObject({ status: "closed", userId: null });
});

test("what is moved goes at its new time with its new words, what is deleted never (O-03)", async () => {
  const scenario = await aDesk();
  const [moved, gone] = [await scheduled(scenario), await scheduled(scenario, "Nunca dita")];
  const change = { body: "Outra hora", sendAt: inMinutes(scenario, 120) };
  await scenario.admin.call(scheduledMessages.update, { params: { id: moved.id }, body: change });
  await scenario.admin.call(scheduledMessages.remove, { params: { id: gone.id } });

  scenario.clock.advance({ minutes: 60 });
  expect(await scenario.receivedTexts(maria)).toEqual([]);
  scenario.clock.advance({ minutes: 60 });
  expect(await scenario.receivedTexts(maria)).toEqual(["Outra hora"]);
  const late = await scenario.admin.put(`/schedules/${moved.id}`, { body: "Tarde demais" });
  expect(late.body).toMatchObject({ error: "ERR_EDIT_TOO_LATE" });
});

test("one that was due while the server was down goes when it is back, marked late (behaviour 7)", async () => {
  const scenario = await aDesk();
  const made = await scheduled(scenario);
  scenario.clock.advance({ minutes: 90 });
  expect(await scenario.receivedTexts(maria)).toEqual(["Oi Maria, tudo certo?"]);
  expect(await read(scenario, made)).toMatchObject({ status: "ENVIADA", isLate: true });
});

test("while the company is switched off nothing is sent; what was due goes when it is on again, marked late (Y-01)", async () => {
  const scenario = await aDesk();
  const made = await scheduled(scenario);
  await switched(scenario, false);
  scenario.clock.advance({ minutes: 60 });
  expect(await scenario.receivedTexts(maria)).toEqual([]);
  scenario.clock.advance({ minutes: 10 });
  expect(await scenario.receivedTexts(maria)).toEqual([]);

  await switched(scenario, true);
  scenario.clock.advance({ minutes: 6 });
  expect(await scenario.receivedTexts(maria)).toEqual(["Oi Maria, tudo certo?"]);
  expect(await read(scenario, made)).toMatchObject({ status: "ENVIADA", isLate: true });
});

test("one that cannot be sent says why, and is tried again at a new time (behaviour 7)", async () => {
  const scenario = await aDesk();
  const made = await scheduled(scenario);
  const block = (blocked: boolean) =>
    scenario.admin.call(contacts.block, { params: { id: scenario.contactId }, body: { blocked } });
  await block(true);
  scenario.clock.advance({ minutes: 60 });
  expect(await scenario.receivedTexts(maria)).toEqual([]);
  expect(await read(scenario, made)).toMatchObject({ status: "ERRO", error: "ERR_CONTACT_BLOCKED", sentAt: null });

  await block(false);
  const again = { sendAt: inMinutes(scenario, 5) };
  await scenario.admin.call(scheduledMessages.update, { params: { id: made.id }, body: again });
  expect(await read(scenario, made)).toMatchObject({ status: "PENDENTE", error: null });
  scenario.clock.advance({ minutes: 5 });
  expect(await scenario.receivedTexts(maria)).toEqual(["Oi Maria, tudo certo?"]);
});

test("the list tells what waits first, finds by name and words, and is the company's (O-03, N-06)", async () => {
  const scenario = await aDesk();
  const later = await scheduled(scenario, "Depois do almoço");
  const sooner = await scenario.admin.call(scheduledMessages.create, {
    body: { body: "Antes do almoço", contactId: scenario.contactId, sendAt: inMinutes(scenario, 5) },
  });
  const list = async (query: object) =>
    (await scenario.admin.call(scheduledMessages.list, { query })).body.schedules.map(({ id }) => id);

  expect(await list({})).toEqual([sooner.body.id, later.id]);
  expect(await list({ searchParam: "depois" })).toEqual([later.id]);
  expect(await list({ contactId: scenario.contactId, searchParam: "MARIA" })).toEqual([sooner.body.id, later.id]);
  const stranger = scenario.app.as((await aCompany(scenario.app)).admin);
  expect((await stranger.call(scheduledMessages.list, { query: {} })).body.count).toBe(0);
  scenario.clock.advance({ minutes: 5 });
  await scenario.receivedTexts(maria);
  expect(await list({})).toEqual([later.id, sooner.body.id]);
});

test("who is no admin reads their own alone, in lists, one by one and on the socket (O-03)", async () => {
  const scenario = await aDesk();
  const [author, colleague] = [await aUser(scenario.company), await aUser(scenario.company)];
  const sockets = await Promise.all(
    [author, colleague, scenario.company.admin].map((who) => scenario.app.connect(who)),
  );
  const wish = { body: "Só para mim", contactId: scenario.contactId, sendAt: inMinutes(scenario, 60) };
  const { body: made } = await scenario.app.as(author).call(scheduledMessages.create, { body: wish });
  await scenario.app.settle();

  const listed = (who: TestUser) =>
    scenario.app
      .as(who)
      .call(scheduledMessages.list, { query: {} })
      .then(({ body }) => [body.count, body.schedules.length]);
  expect(await listed(author)).toEqual([1, 1]);
  expect(await listed(colleague)).toEqual([0, 0]);
  expect(await listed(scenario.company.admin)).toEqual([1, 1]);
  const one = await scenario.app.as(colleague).get(`/schedules/${made.id}`);
  expect([one.status, one.body]).toMatchObject([403, { error: "ERR_NO_PERMISSION" }]);
  await Promise.all(sockets.map((socket) => socket.flushed()));
  const told = sockets.map(({ packets }) => packets.filter(({ event }) => event.endsWith("-schedule")).length);
  expect(told).toEqual([1, 0, 1]);
});

test("a contact who turns out to be another takes what is scheduled along, and back (C-06)", async () => {
  const scenario = await aDesk();
  const made = await scheduled(scenario);
  const { id: keptId } = await aContact(scenario.company, { name: "Maria de Casa", number: "5511955554444" });
  const merge = await scenario.admin.call(contacts.merge, {
    params: { id: keptId },
    body: { contactId: scenario.contactId },
  });
  expect(await read(scenario, made)).toMatchObject({ contactId: keptId });
  await scenario.admin.call(contacts.undoMerge, { params: { id: merge.body.id } });
  expect(await read(scenario, made)).toMatchObject({ contactId: scenario.contactId });
});

test("short words, past times and others' contacts are refused, and whoever may not change it (O-03, N-06)", async () => {
  const scenario = await aDesk();
  const made = await scheduled(scenario);
  const post = (body: object) =>
    scenario.admin.post<{ error: string }>("/schedules", {
      body: "Bom dia!",
      contactId: scenario.contactId,
      sendAt: inMinutes(scenario, 5),
      ...body,
    });
  const other = await aCompany(scenario.app);
  const foreign = await aContact(other, { name: "Alheio" });
  expect((await post({ body: "Oi" })).status).toBe(400);
  expect((await post({ sendAt: inMinutes(scenario, -60) })).body.error).toBe("ERR_VALIDATION");
  expect((await post({ contactId: foreign.id })).body.error).toBe("ERR_NO_CONTACT_FOUND");

  const remove = (who: Pick<BotScenario["admin"], "delete">) => who.delete(`/schedules/${made.id}`);
  const agent = scenario.app.as(await aUser(scenario.company));
  expect((await remove(scenario.app.as(undefined))).status).toBe(401);
  expect((await remove(scenario.app.as(other.admin))).status).toBe(404);
  expect((await remove(agent)).status).toBe(403);
  expect((await agent.get(`/schedules/${made.id}`)).status).toBe(403);
  const without = await aCompany(scenario.app, { withoutFlags: ["useSchedules"] });
  expect((await scenario.app.as(without.admin).get<{ error: string }>("/schedules")).body.error).toBe(
    "ERR_PLAN_WITHOUT_FEATURE",
  );
});
