import { contacts, scheduledMessages, sendingDefaults, sendingRulesApi } from "@prosa/contract";
import type { Schedule } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { features } from "#server/app/features.ts";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import type { Feature } from "#server/platform/feature.ts";
import { createFakeLineApp, createBotScenario, inAnotherProcess } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import type { TestUser } from "#server/testing/factories.ts";
import { aCompany, aContact, aUser, setPlanFlag } from "#server/testing/factories.ts";
import { feature as schedules } from "./feature.ts";

let fakeLineApp: FakeLineApp;
/** How often a job has tried to send a schedule. */
let attempts = 0;
const counted: Feature = {
  ...schedules,
  tasks: (services) =>
    Object.fromEntries(
      Object.entries(schedules.tasks!(services)).map(([task, handler]) => [
        task,
        (...job: Parameters<typeof handler>) => {
          attempts += 1;
          return handler(...job);
        },
      ]),
    ),
};
beforeAll(async () => {
  const bot = features.find(({ name }) => name === "bot")!;
  fakeLineApp = await createFakeLineApp(createMessagesFeature, { feature: bot, assistants: [], others: [counted] });
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
  const schedule = { body, contactId: scenario.contactId, sendAt: inMinutes(scenario, 60) };
  const made = await scenario.admin.call(scheduledMessages.create, { body: schedule });
  expect(made.status).toBe(200);
  return made.body;
}

async function setActive({ app, company }: BotScenario, isActive: boolean): Promise<void> {
  await app.db.system.updateTable("companies").set({ is_active: isActive }).where("id", "=", company.id).execute();
  app.services.sessions.forgetCompany(company.id);
}

const read = async (scenario: BotScenario, { id }: Schedule) =>
  (await scenario.admin.call(scheduledMessages.get, { params: { id } })).body;

test("a scheduled message is sent at its time, and only once by two processes (T-19, O-03)", async () => {
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
});

test("a scheduled message is shown as the words of the agent who wrote it, in conversation and list (T-04, O-03)", async () => {
  const scenario = await aDesk();
  await scheduled(scenario);
  scenario.clock.advance({ minutes: 60 });
  await scenario.app.settle();

  const { userId: id, name } = scenario.company.admin;
  expect((await scenario.messagesOf(maria)).at(-1)).toMatchObject({ isAutomatic: false, user: { id, name } });
  expect((await scenario.ticketOf(maria)).lastMessageAuthor).toEqual({ kind: "user", user: { id, name } });
});

test("the ticket keeps its status; a contact without a ticket gets a closed one without a user (O-03)", async () => {
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

test("a changed one is sent at its new time with its new text, a deleted one never (O-03)", async () => {
  const scenario = await aDesk();
  const [moved, deleted] = [await scheduled(scenario), await scheduled(scenario, "Nunca dita")];
  const change = { body: "Outra hora", sendAt: inMinutes(scenario, 120) };
  await scenario.admin.call(scheduledMessages.update, { params: { id: moved.id }, body: change });
  await scenario.admin.call(scheduledMessages.remove, { params: { id: deleted.id } });

  scenario.clock.advance({ minutes: 60 });
  expect(await scenario.receivedTexts(maria)).toEqual([]);
  scenario.clock.advance({ minutes: 60 });
  expect(await scenario.receivedTexts(maria)).toEqual(["Outra hora"]);
  const late = await scenario.admin.put(`/schedules/${moved.id}`, { body: "Tarde demais" });
  expect(late.body).toMatchObject({ error: "ERR_EDIT_TOO_LATE" });
});

test("the text of one that the sending gate holds is changed, alone or with its time as it was (O-03, P-03)", async () => {
  const scenario = await aDesk();
  const lines = [{ whatsappId: scenario.connection.id, dailyCap: 1, warmUp: false }];
  await scenario.admin.call(sendingRulesApi.save, { body: { ...sendingDefaults, lines } });
  const numbers = ["5511977776666", "5511977775555"];
  const [first, joao] = await Promise.all(numbers.map((number) => aContact(scenario.company, { number })));
  await scheduled({ ...scenario, contactId: first!.id });
  scenario.clock.advance({ minutes: 60 });
  expect(await scenario.receivedTexts(numbers[0]!)).toHaveLength(1);
  const made = await scheduled({ ...scenario, contactId: joao!.id });
  scenario.clock.advance({ minutes: 60 });
  await scenario.app.settle();
  const held = await read(scenario, made);
  expect(held).toMatchObject({ status: "PENDENTE", heldReason: "dailyCap" });

  scenario.clock.advance({ minutes: 60 });
  const { heldReason, heldUntil, sendAt } = held;
  for (const change of [{ body: "Outro texto" }, { body: "Melhor assim", sendAt }]) {
    const saved = await scenario.admin.put(`/schedules/${made.id}`, change);
    expect([saved.status, saved.body]).toMatchObject([200, { body: change.body, sendAt, heldReason, heldUntil }]);
    expect(await scenario.receivedTexts(numbers[1]!)).toEqual([]);
    expect(await read(scenario, made)).toMatchObject({ status: "PENDENTE", heldReason, heldUntil });
  }
  const past = await scenario.admin.put(`/schedules/${made.id}`, { sendAt: inMinutes(scenario, -30) });
  expect(past.body).toMatchObject({ error: "ERR_VALIDATION" });

  // The next day, at the time of the hold.
  scenario.clock.set(new Date(heldUntil!));
  expect(await scenario.receivedTexts(numbers[1]!)).toEqual(["Melhor assim"]);
  expect(await read(scenario, made)).toMatchObject({ status: "ENVIADA", isLate: false, heldReason: null });
});

test("many of one minute go by their line one after the other, and wake nobody in vain (O-03, P-03)", async () => {
  const scenario = await aDesk();
  const lines = [{ whatsappId: scenario.connection.id, dailyCap: null, warmUp: false }];
  await scenario.admin.call(sendingRulesApi.save, { body: { ...sendingDefaults, minGapSeconds: 10, lines } });
  const numbers = Array.from({ length: 50 }, (_, n) => `55119777${String(n).padStart(5, "0")}`);
  const sendAt = inMinutes(scenario, 60);
  for (const number of numbers) {
    const { id: contactId } = await aContact(scenario.company, { number });
    await scenario.admin.call(scheduledMessages.create, { body: { body: "Bom dia!", contactId, sendAt } });
  }
  scenario.clock.advance({ minutes: 60 });
  attempts = 0;
  const sentTo = () => scenario.line.sent.map(({ to }) => to.value).filter((number) => numbers.includes(number));
  for (let seconds = 0; seconds < 50 * 13 && sentTo().length < numbers.length; seconds += 1) {
    await scenario.app.settle();
    scenario.clock.advance({ seconds: 1 });
  }
  expect(sentTo().toSorted()).toEqual(numbers);
  // The gaps vary by a third, so their order does too, but nobody waits long for who was behind them.
  expect(Math.max(...sentTo().map((number, place) => Math.abs(numbers.indexOf(number) - place)))).toBeLessThan(15);
  expect(attempts).toBeLessThan(6 * numbers.length);
});

test("those that wait for a slow pace go within minutes after it was raised, or those before them were deleted (O-03, P-03)", async () => {
  const scenario = await aDesk();
  const lines = [{ whatsappId: scenario.connection.id, dailyCap: null, warmUp: false }];
  const setGap = (minGapSeconds: number) =>
    scenario.admin.call(sendingRulesApi.save, { body: { ...sendingDefaults, minGapSeconds, lines } });
  const pass = async (minutes: number) => {
    for (let seconds = 0; seconds < minutes * 60; seconds += 10) {
      await scenario.app.settle();
      scenario.clock.advance({ seconds: 10 });
    }
  };
  await setGap(1_800);
  const numbers = Array.from({ length: 6 }, (_, n) => `551197770000${n}`);
  const made: Schedule[] = [];
  for (const number of numbers) {
    const { id: contactId } = await aContact(scenario.company, { number });
    const body = { body: "Bom dia!", contactId, sendAt: inMinutes(scenario, 60) };
    made.push((await scenario.admin.call(scheduledMessages.create, { body })).body);
  }
  const sentTo = () => scenario.line.sent.map(({ to }) => to.value).filter((number) => numbers.includes(number));
  scenario.clock.advance({ minutes: 60 });
  await pass(2);
  expect(sentTo()).toHaveLength(1);

  const waiting = made.filter(({ contact }) => !sentTo().includes(contact.number));
  for (const { id } of waiting.slice(0, 3)) {
    await scenario.admin.call(scheduledMessages.remove, { params: { id } });
  }
  // A gap varies by a third: there is one within 39 minutes, and none are two within 42.
  await pass(39);
  expect(sentTo()).toHaveLength(2);
  await setGap(1);
  await pass(6);
  expect(sentTo()).toHaveLength(3);
});

test("a failed one needs a new time, whatever else is changed (O-03, behaviour 7)", async () => {
  const scenario = await aDesk();
  const made = await scheduled(scenario);
  const block = { params: { id: scenario.contactId }, body: { blocked: true } };
  await scenario.admin.call(contacts.block, block);
  scenario.clock.advance({ minutes: 70 });
  await scenario.app.settle();
  for (const change of [{ body: "Outro texto" }, { body: "Outro texto", sendAt: made.sendAt }]) {
    const refused = await scenario.admin.put(`/schedules/${made.id}`, change);
    expect(refused.body).toMatchObject({ error: "ERR_VALIDATION" });
  }
  expect(await read(scenario, made)).toMatchObject({ status: "ERRO", body: made.body });
});

test("one that was due while the server was down is sent afterwards, marked late (behaviour 7)", async () => {
  const scenario = await aDesk();
  const made = await scheduled(scenario);
  scenario.clock.advance({ minutes: 90 });
  expect(await scenario.receivedTexts(maria)).toEqual(["Oi Maria, tudo certo?"]);
  expect(await read(scenario, made)).toMatchObject({ status: "ENVIADA", isLate: true });
});

test("a suspended company sends nothing; due ones are sent after it is active again, marked late (Y-01)", async () => {
  const scenario = await aDesk();
  const made = await scheduled(scenario);
  await setActive(scenario, false);
  scenario.clock.advance({ minutes: 60 });
  expect(await scenario.receivedTexts(maria)).toEqual([]);
  scenario.clock.advance({ minutes: 10 });
  expect(await scenario.receivedTexts(maria)).toEqual([]);

  await setActive(scenario, true);
  scenario.clock.advance({ minutes: 6 });
  expect(await scenario.receivedTexts(maria)).toEqual(["Oi Maria, tudo certo?"]);
  expect(await read(scenario, made)).toMatchObject({ status: "ENVIADA", isLate: true });
});

test("a company whose plan has lost them sends none, and may delete them; with the plan they go on (Y-05)", async () => {
  const scenario = await aDesk();
  const [made, deleted] = [await scheduled(scenario), await scheduled(scenario, "Nunca dita")];
  await setPlanFlag(scenario.company, "useSchedules", false);
  scenario.clock.advance({ minutes: 60 });
  expect(await scenario.receivedTexts(maria)).toEqual([]);
  const { id } = deleted;
  expect((await scenario.admin.call(scheduledMessages.remove, { params: { id } })).status).toBe(200);

  await setPlanFlag(scenario.company, "useSchedules", true);
  scenario.clock.advance({ minutes: 6 });
  expect(await scenario.receivedTexts(maria)).toEqual(["Oi Maria, tudo certo?"]);
  expect(await read(scenario, made)).toMatchObject({ status: "ENVIADA", isLate: true });
});

test("a failed one shows its error, and is sent again at a new time (behaviour 7)", async () => {
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

test("one that is refused leaves no conversation to a contact that had none (O-03, behaviour 7)", async () => {
  const scenario = await aDesk();
  const { id: contactId } = await aContact(scenario.company, { name: "João Souza", number: "5511977776666" });
  const made = await scheduled({ ...scenario, contactId });
  await scenario.admin.call(contacts.block, { params: { id: contactId }, body: { blocked: true } });
  scenario.clock.advance({ minutes: 60 });
  await scenario.app.settle();

  expect(await read(scenario, made)).toMatchObject({ status: "ERRO", error: "ERR_CONTACT_BLOCKED" });
  const tickets = await scenario.company.inside(({ db }) =>
    sql`select id from tickets where contact_id = ${contactId}`.execute(db),
  );
  expect(tickets.rows).toEqual([]);
});

test("the list has pending ones first, is searched by name and text, and shows one company (O-03, N-06)", async () => {
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

test("users who are no admins read only their own, in lists, one by one and on the socket (O-03)", async () => {
  const scenario = await aDesk();
  const [author, colleague] = [await aUser(scenario.company), await aUser(scenario.company)];
  const sockets = await Promise.all(
    [author, colleague, scenario.company.admin].map((who) => scenario.app.connect(who)),
  );
  const schedule = { body: "Só para mim", contactId: scenario.contactId, sendAt: inMinutes(scenario, 60) };
  const { body: made } = await scenario.app.as(author).call(scheduledMessages.create, { body: schedule });
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
  const received = sockets.map(({ packets }) => packets.filter(({ event }) => event.endsWith("-schedule")).length);
  expect(received).toEqual([1, 0, 1]);
});

test("schedules move with a merged contact, and back (C-06)", async () => {
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

test("short texts, past times, foreign contacts and users without the right are refused (O-03, N-06)", async () => {
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
