import { contacts, scheduledMessages } from "@prosa/contract";
import type { Schedule } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { aHouse, conversations, inAnotherProcess } from "#server/testing/conversations.ts";
import type { Conversations, House } from "#server/testing/conversations.ts";
import type { TestUser } from "#server/testing/factories.ts";
import { aCompany, aContact, aUser } from "#server/testing/factories.ts";

let house: House;
beforeAll(async () => {
  house = await aHouse(createMessagesFeature);
});
afterAll(() => house.app.close());

const maria = "5511988887777";
const inMinutes = (talk: Conversations, minutes: number) =>
  new Date(talk.clock.now().getTime() + minutes * 60_000).toISOString();

async function aDesk(): Promise<Conversations & { readonly contactId: number }> {
  const talk = await conversations(house);
  await talk.says(maria, "oi");
  return { ...talk, contactId: (await talk.ticketOf(maria)).contactId };
}

async function scheduled(talk: Conversations & { readonly contactId: number }, body = "Oi {{firstName}}, tudo certo?") {
  const wish = { body, contactId: talk.contactId, sendAt: inMinutes(talk, 60) };
  const made = await talk.admin.call(scheduledMessages.create, { body: wish });
  expect(made.status).toBe(200);
  return made.body;
}

async function switched({ app, company }: Conversations, isOn: boolean): Promise<void> {
  await app.db.system.updateTable("companies").set({ is_active: isOn }).where("id", "=", company.id).execute();
  app.services.sessions.forgetCompany(company.id);
}

const read = async (talk: Conversations, { id }: Schedule) =>
  (await talk.admin.call(scheduledMessages.get, { params: { id } })).body;

test("a scheduled message is sent at its time, once by two processes, and not before (T-19, O-03)", async () => {
  const talk = await aDesk();
  const other = await inAnotherProcess(talk);
  const made = await scheduled(talk);
  expect(made).toMatchObject({ status: "PENDENTE", sentAt: null, contact: { name: "Maria" }, user: { name: "Admin" } });

  talk.clock.advance({ minutes: 59 });
  expect(await talk.hears(maria)).toEqual([]);
  talk.clock.advance({ minutes: 1 });
  await Promise.all([talk.app.settle(), other.app.settle()]);
  talk.clock.advance({ minutes: 60 });
  expect(await talk.hears(maria)).toEqual(["Oi Maria, tudo certo?"]);

  expect(await read(talk, made)).toMatchObject({ status: "ENVIADA", sentAt: made.sendAt, isLate: false, error: null });
  expect((await talk.messagesOf(maria)).at(-1)).toMatchObject({ isAutomatic: true });
});

test("the conversation stays as it is; who was never written to gets one that nobody serves (O-03)", async () => {
  const talk = await aDesk();
  const { id } = await talk.ticketOf(maria);
  await talk.admin.put(`/tickets/${id}`, { status: "open" });
  await talk.admin.put(`/tickets/${id}`, { status: "closed" });
  await talk.hears(maria);
  const joao = "5511977776666";
  const { id: contactId } = await aContact(talk.company, { name: "João Souza", number: joao });
  await scheduled(talk);
  await scheduled({ ...talk, contactId });

  talk.clock.advance({ minutes: 60 });
  expect(await talk.hears(maria)).toEqual(["Oi Maria, tudo certo?"]);
  expect(await talk.hears(joao)).toEqual(["Oi João, tudo certo?"]);
  expect(await talk.ticketOf(maria)).toMatchObject({ status: "closed" });
  expect(await talk.ticketOf(joao)).toMatchObject({ status: "closed", userId: null });
});

test("what is moved goes at its new time with its new words, what is deleted never (O-03)", async () => {
  const talk = await aDesk();
  const [moved, gone] = [await scheduled(talk), await scheduled(talk, "Nunca dita")];
  const change = { body: "Outra hora", sendAt: inMinutes(talk, 120) };
  await talk.admin.call(scheduledMessages.update, { params: { id: moved.id }, body: change });
  await talk.admin.call(scheduledMessages.remove, { params: { id: gone.id } });

  talk.clock.advance({ minutes: 60 });
  expect(await talk.hears(maria)).toEqual([]);
  talk.clock.advance({ minutes: 60 });
  expect(await talk.hears(maria)).toEqual(["Outra hora"]);
  const late = await talk.admin.put(`/schedules/${moved.id}`, { body: "Tarde demais" });
  expect(late.body).toMatchObject({ error: "ERR_EDIT_TOO_LATE" });
});

test("one that was due while the server was down goes when it is back, marked late (behaviour 7)", async () => {
  const talk = await aDesk();
  const made = await scheduled(talk);
  talk.clock.advance({ minutes: 90 });
  expect(await talk.hears(maria)).toEqual(["Oi Maria, tudo certo?"]);
  expect(await read(talk, made)).toMatchObject({ status: "ENVIADA", isLate: true });
});

test("while the company is switched off nothing is sent; what was due goes when it is on again, marked late (Y-01)", async () => {
  const talk = await aDesk();
  const made = await scheduled(talk);
  await switched(talk, false);
  talk.clock.advance({ minutes: 60 });
  expect(await talk.hears(maria)).toEqual([]);
  talk.clock.advance({ minutes: 10 });
  expect(await talk.hears(maria)).toEqual([]);

  await switched(talk, true);
  talk.clock.advance({ minutes: 6 });
  expect(await talk.hears(maria)).toEqual(["Oi Maria, tudo certo?"]);
  expect(await read(talk, made)).toMatchObject({ status: "ENVIADA", isLate: true });
});

test("one that cannot be sent says why, and is tried again at a new time (behaviour 7)", async () => {
  const talk = await aDesk();
  const made = await scheduled(talk);
  const block = (blocked: boolean) =>
    talk.admin.call(contacts.block, { params: { id: talk.contactId }, body: { blocked } });
  await block(true);
  talk.clock.advance({ minutes: 60 });
  expect(await talk.hears(maria)).toEqual([]);
  expect(await read(talk, made)).toMatchObject({ status: "ERRO", error: "ERR_CONTACT_BLOCKED", sentAt: null });

  await block(false);
  const again = { sendAt: inMinutes(talk, 5) };
  await talk.admin.call(scheduledMessages.update, { params: { id: made.id }, body: again });
  expect(await read(talk, made)).toMatchObject({ status: "PENDENTE", error: null });
  talk.clock.advance({ minutes: 5 });
  expect(await talk.hears(maria)).toEqual(["Oi Maria, tudo certo?"]);
});

test("the list tells what waits first, finds by name and words, and is the company's (O-03, N-06)", async () => {
  const talk = await aDesk();
  const later = await scheduled(talk, "Depois do almoço");
  const sooner = await talk.admin.call(scheduledMessages.create, {
    body: { body: "Antes do almoço", contactId: talk.contactId, sendAt: inMinutes(talk, 5) },
  });
  const list = async (query: object) =>
    (await talk.admin.call(scheduledMessages.list, { query })).body.schedules.map(({ id }) => id);

  expect(await list({})).toEqual([sooner.body.id, later.id]);
  expect(await list({ searchParam: "depois" })).toEqual([later.id]);
  expect(await list({ contactId: talk.contactId, searchParam: "MARIA" })).toEqual([sooner.body.id, later.id]);
  const stranger = talk.app.as((await aCompany(talk.app)).admin);
  expect((await stranger.call(scheduledMessages.list, { query: {} })).body.count).toBe(0);
  talk.clock.advance({ minutes: 5 });
  await talk.hears(maria);
  expect(await list({})).toEqual([later.id, sooner.body.id]);
});

test("who is no admin reads their own alone, in lists, one by one and on the socket (O-03)", async () => {
  const talk = await aDesk();
  const [author, colleague] = [await aUser(talk.company), await aUser(talk.company)];
  const sockets = await Promise.all([author, colleague, talk.company.admin].map((who) => talk.app.connect(who)));
  const wish = { body: "Só para mim", contactId: talk.contactId, sendAt: inMinutes(talk, 60) };
  const { body: made } = await talk.app.as(author).call(scheduledMessages.create, { body: wish });
  await talk.app.settle();

  const listed = (who: TestUser) =>
    talk.app
      .as(who)
      .call(scheduledMessages.list, { query: {} })
      .then(({ body }) => [body.count, body.schedules.length]);
  expect(await listed(author)).toEqual([1, 1]);
  expect(await listed(colleague)).toEqual([0, 0]);
  expect(await listed(talk.company.admin)).toEqual([1, 1]);
  const one = await talk.app.as(colleague).get(`/schedules/${made.id}`);
  expect([one.status, one.body]).toMatchObject([403, { error: "ERR_NO_PERMISSION" }]);
  await Promise.all(sockets.map((socket) => socket.flushed()));
  const told = sockets.map(({ packets }) => packets.filter(({ event }) => event.endsWith("-schedule")).length);
  expect(told).toEqual([1, 0, 1]);
});

test("a contact who turns out to be another takes what is scheduled along, and back (C-06)", async () => {
  const talk = await aDesk();
  const made = await scheduled(talk);
  const { id: keptId } = await aContact(talk.company, { name: "Maria de Casa", number: "5511955554444" });
  const merge = await talk.admin.call(contacts.merge, { params: { id: keptId }, body: { contactId: talk.contactId } });
  expect(await read(talk, made)).toMatchObject({ contactId: keptId });
  await talk.admin.call(contacts.undoMerge, { params: { id: merge.body.id } });
  expect(await read(talk, made)).toMatchObject({ contactId: talk.contactId });
});

test("short words, past times and others' contacts are refused, and whoever may not change it (O-03, N-06)", async () => {
  const talk = await aDesk();
  const made = await scheduled(talk);
  const post = (body: object) =>
    talk.admin.post<{ error: string }>("/schedules", {
      body: "Bom dia!",
      contactId: talk.contactId,
      sendAt: inMinutes(talk, 5),
      ...body,
    });
  const other = await aCompany(talk.app);
  const foreign = await aContact(other, { name: "Alheio" });
  expect((await post({ body: "Oi" })).status).toBe(400);
  expect((await post({ sendAt: inMinutes(talk, -60) })).body.error).toBe("ERR_VALIDATION");
  expect((await post({ contactId: foreign.id })).body.error).toBe("ERR_NO_CONTACT_FOUND");

  const remove = (who: Pick<Conversations["admin"], "delete">) => who.delete(`/schedules/${made.id}`);
  const agent = talk.app.as(await aUser(talk.company));
  expect((await remove(talk.app.as(undefined))).status).toBe(401);
  expect((await remove(talk.app.as(other.admin))).status).toBe(404);
  expect((await remove(agent)).status).toBe(403);
  expect((await agent.get(`/schedules/${made.id}`)).status).toBe(403);
  const without = await aCompany(talk.app, { withoutFlags: ["useSchedules"] });
  expect((await talk.app.as(without.admin).get<{ error: string }>("/schedules")).body.error).toBe(
    "ERR_PLAN_WITHOUT_FEATURE",
  );
});
