import type { Message } from "@prosa/contract";
import { beforeEach, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { createMessagesFeature } from "../feature.ts";

const lines = new Map<number, FakeLine>();
const clock = createMovedClock("2026-05-04T12:00:00Z");
let desk: Desk;
let line: FakeLine;
let agent: Person;
let ticketId: number;
let contactId: number;

beforeEach(async () => {
  lines.clear();
  desk = await aDesk([tickets, createMessagesFeature(() => (id) => lines.get(id)), fakeLinesFeature(lines)], { clock });
  line = createFakeLine(desk.connectionId);
  lines.set(desk.connectionId, line);
  agent = await desk.person("user");
  ({ id: ticketId, contactId } = await desk.ticket({ status: "open", user: agent, lastMessageAt: clock.now() }));
});

const page = async () => (await agent.get<{ messages: Message[] }>(`/messages/${ticketId}`)).body;
const send = (body: string, more: object = {}) => agent.post<Message[]>(`/messages/${ticketId}`, { body, ...more });
const first = async (body: string) => (await send(body)).body[0]!;

/** Inserts messages of the contact without a line. */
async function receive(texts: readonly string[], at = clock.now()): Promise<void> {
  for (const text of texts) {
    await desk.rows(`insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, body, sent_at)
      values (${desk.companyId}, ${ticketId}, ${contactId}, ${desk.connectionId}, 'in-${text}', false, '${text}', '${at.toISOString()}')`);
  }
  await desk.rows(`update tickets set unread_messages = ${texts.length} where id = ${ticketId}`);
}

test("an own text is edited within 15 minutes; the earlier text is kept and the edit is sent (M-10, M-15, M-16)", async () => {
  const message = await first("errado");
  await desk.app.settle();
  const { body } = await agent.post<Message>(`/messages/edit/${message.id}`, { body: "certo" });
  expect(body).toMatchObject({ body: "certo", isEdited: true });
  await desk.app.settle();
  expect(line.sent.at(-1)?.content).toEqual({
    kind: "edit",
    target: { waId: line.sent[0]?.waId, fromMe: true },
    text: "certo",
  });
  expect((await agent.get(`/messages/${message.id}/edits`)).body).toMatchObject([{ body: "errado" }]);

  clock.advance({ minutes: 16 });
  const late = await agent.post(`/messages/edit/${message.id}`, { body: "tarde" });
  expect(late).toMatchObject({ status: 400, body: { error: "ERR_FETCH_WAPP_MSG" } });
});

test("a message that is edited before it is sent is sent with the new text", async () => {
  line.isConnected = false;
  const message = await first("rascunho");
  await desk.app.settle();
  await agent.post(`/messages/edit/${message.id}`, { body: "final" });
  await desk.app.settle();
  line.isConnected = true;
  clock.advance({ seconds: 10 });
  await desk.app.settle();
  // The edit is sent as well, because the text might have been in flight; it changes nothing.
  expect(line.sent.map(({ content }) => content)).toMatchObject([
    { kind: "text", text: "final" },
    { kind: "edit", text: "final" },
  ]);
});

test("deleting leaves a marker; a queued message that is deleted is not sent (M-16)", async () => {
  const message = await first("apagar");
  await desk.app.settle();
  expect((await agent.delete<Message>(`/messages/${message.id}`)).body).toMatchObject({ isDeleted: true });
  await desk.app.settle();
  expect(line.sent.at(-1)?.content).toMatchObject({ kind: "revoke" });

  line.isConnected = false;
  const unsent = await first("nunca");
  await agent.delete(`/messages/${unsent.id}`);
  line.isConnected = true;
  clock.advance({ minutes: 1 });
  await desk.app.settle();
  expect(line.texts()).toEqual(["apagar"]);
});

test("a reaction is sent, and removed with an empty emoji", async () => {
  await receive(["oi"]);
  const [message] = (await page()).messages;
  const { body } = await agent.post<Message>(`/messages/${message!.id}/reaction`, { emoji: "👍" });
  expect(body.reactions).toEqual([{ emoji: "👍", fromMe: true, name: agent.name }]);
  await desk.app.settle();
  clock.advance({ seconds: 1 });
  expect((await agent.post<Message>(`/messages/${message!.id}/reaction`, { emoji: "" })).body.reactions).toEqual([]);
  await desk.app.settle();
  expect(line.sent.map(({ content }) => content)).toMatchObject([
    { kind: "reaction", target: { waId: "in-oi", fromMe: false }, emoji: "👍" },
    { kind: "reaction", emoji: "" },
  ]);
});

test("in a group, read receipt, quote and reaction name the author by the address that WhatsApp uses (M-17)", async () => {
  await receive(["oi"]);
  await desk.rows(`update messages set participant = '{"number":"5544","name":"Rui","phone":null,"lid":"5544"}'`);
  const [message] = (await page()).messages;
  expect(message).toMatchObject({ participant: { number: "5544", name: "Rui" } });
  expect(Object.keys(message!.participant!)).toEqual(["number", "name"]);
  await send("olá", { quotedMsgId: message!.id });
  await agent.post(`/messages/${message!.id}/reaction`, { emoji: "👍" });
  await desk.app.settle();

  const author = { phone: null, lid: "5544" };
  expect(line.read[0]?.refs).toMatchObject([{ waId: "in-oi", participant: author }]);
  expect(line.sent.map(({ content }) => content)).toMatchObject([
    { kind: "text", quoted: { waId: "in-oi", participant: author } },
    { kind: "reaction", target: { waId: "in-oi", fromMe: false, participant: author } },
  ]);
});

test("messages of the contact, of others and of other companies cannot be changed", async () => {
  await receive(["deles"]);
  const [message] = (await page()).messages;
  expect(await agent.post(`/messages/edit/${message!.id}`, { body: "x" })).toMatchObject({ status: 400 });
  // Only texts are edited: WhatsApp would show a text where a location is shown here.
  const place = (await send("", { location: { latitude: 1, longitude: 2 } })).body[0]!;
  expect(await agent.post(`/messages/edit/${place.id}`, { body: "x" })).toMatchObject({
    status: 400,
    body: { error: "ERR_EDIT_WAPP_MSG" },
  });
  expect(await agent.delete(`/messages/${message!.id}`)).toMatchObject({
    status: 400,
    body: { error: "ERR_DELETE_WAPP_MSG" },
  });
  const colleague = await desk.person("user");
  expect(await colleague.delete(`/messages/${message!.id}`)).toMatchObject({ status: 403 });
  const stranger = await (await desk.otherCompany()).person("admin");
  for (const answer of [
    await stranger.delete(`/messages/${message!.id}`),
    await stranger.post(`/messages/edit/${message!.id}`, { body: "x" }),
    await stranger.post(`/messages/${message!.id}/reaction`, { emoji: "x" }),
    await stranger.post(`/messages/${message!.id}/retry`),
    await stranger.post(`/messages/${message!.id}/media`),
    await stranger.get(`/messages/${message!.id}/edits`),
    await stranger.get(`/messages/${ticketId}`),
    await stranger.post(`/messages/${ticketId}/read`),
  ]) {
    expect(answer.status).toBe(404);
  }
});
