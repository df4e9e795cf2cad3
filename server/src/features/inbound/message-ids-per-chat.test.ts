import type { Message, Ticket } from "@prosa/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { contactsFeature } from "#server/features/contacts/feature.ts";
import { findErasedNumbers } from "#server/features/privacy/index.ts";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { applyContactBlock, emitTicketsDeleted } from "#server/features/tickets/index.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import type { Content, InboundMessage, LineEvent, PersonRef } from "#server/whatsapp/port.ts";
import { contactMergeParticipants } from "./contact-merge-participants.ts";
import { contactResolver } from "./inbound-contact-resolver.ts";
import { createIngest } from "./ingest.ts";

const clock = createMovedClock("2026-05-04T12:00:00Z");
const maria: PersonRef = { phone: "5511988887777", lid: null };
const eve: PersonRef = { phone: "5511966665555", lid: null };
let desk: Desk;
let admin: Person;
let receive: (...events: readonly LineEvent[]) => Promise<void>;

beforeEach(async () => {
  desk = await aDesk(
    [
      contactsFeature({
        mergeParticipants: contactMergeParticipants,
        onBlockChanged: applyContactBlock,
        onDeleted: emitTicketsDeleted,
        findErasedNumbers,
      }),
      tickets,
      createMessagesFeature(() => () => undefined),
    ],
    {
      clock,
    },
  );
  admin = await desk.person("admin");
  await desk.rows(`insert into settings values (${desk.companyId}, 'CheckMsgIsGroup', 'disabled')`);
  const ingest = createIngest({ vault: desk.app.services.vault, contacts: contactResolver, isSilent: true });
  const { companyId, connectionId } = desk;
  const scope = { actor: { kind: "line", companyId, connectionId }, companyId, log: desk.app.services.log } as const;
  receive = (...events) => desk.app.db.inCompany({ ...scope, clock }, (ctx) => ingest(ctx, connectionId, events));
});

type Where = Pick<InboundMessage, "chat" | "person">;
const by = (person: PersonRef): Where => ({
  person,
  chat: { kind: person.phone === null ? "lid" : "phone", value: person.phone ?? person.lid ?? "" },
});
const group: Where = { chat: { kind: "group", value: "12036302" }, person: { phone: null, lid: null } };

function says(where: Where, waId: string, content: string | Content, more: Partial<InboundMessage> = {}): LineEvent {
  return {
    type: "message",
    message: {
      ...where,
      waId,
      fromMe: false,
      participant: null,
      pushName: "",
      at: clock.now(),
      isOffline: false,
      quotedWaId: null,
      content: typeof content === "string" ? { kind: "text", text: content } : content,
      ...more,
    },
  };
}
const edits = (where: Where, waId: string, text: string): LineEvent => {
  return { type: "edit", ...where, waId, fromMe: false, author: null, text, at: clock.now() };
};
const deletes = (where: Where, waId: string): LineEvent => {
  return { type: "revoke", ...where, waId, fromMe: false, by: null, byMe: false, at: clock.now() };
};
const reacts = (where: Where, waId: string): LineEvent => ({
  type: "reaction",
  ...where,
  waId,
  targetFromMe: false,
  emoji: "👍",
  byMe: false,
  sender: { ...where.person, name: "" },
  at: clock.now(),
});

const stored = () =>
  desk.rows<{ body: string; contact: string }>(
    `select m.body, c.number as contact from messages m join contacts c on c.id = m.contact_id order by m.id`,
  );
async function ticketOf(number: string): Promise<Ticket> {
  const { body } = await admin.get<{ tickets: Ticket[] }>(`/tickets?searchParam=${number}&showAll=true`);
  return body.tickets[0]!;
}
const conversation = async (number: string) =>
  (await admin.get<{ messages: Message[] }>(`/messages/${(await ticketOf(number)).id}?peek=true`)).body.messages;

test("the same id in two chats is two messages, in one batch and in two; a redelivery is recognised (W-08)", async () => {
  const [one, two] = [says(by(maria), "A1", "sou a Maria"), says(by(eve), "A1", "sou a Eve")];
  await receive(one, two);
  await receive(says(by(maria), "A2", "de novo"));
  await receive(says(by(eve), "A2", "eu também"));
  await receive(two, one);
  expect(await stored()).toEqual([
    { body: "sou a Maria", contact: maria.phone },
    { body: "sou a Eve", contact: eve.phone },
    { body: "de novo", contact: maria.phone },
    { body: "eu também", contact: eve.phone },
  ]);
  expect((await ticketOf(maria.phone!)).unreadMessages).toBe(2);
  expect((await ticketOf(eve.phone!)).unreadMessages).toBe(2);
});

test("an id used in a chat can be used in a group, and by us (W-08)", async () => {
  await receive(says(by(maria), "A1", "oi"));
  await receive(says(group, "A1", "oi, grupo", { participant: { ...eve, name: "Eve" } }));
  await receive(says(by(maria), "A1", "nosso", { fromMe: true }), says(by(eve), "A1", "nosso", { fromMe: true }));
  expect((await stored()).map(({ body }) => body)).toEqual(["oi", "oi, grupo", "nosso", "nosso"]);
});

test("edits, deletions, reactions and late content apply to the message of their own chat (M-15, M-17)", async () => {
  await receive(says(by(maria), "A1", { kind: "undecryptable" }), says(by(eve), "A1", "sou a Eve"));
  await receive(says(by(maria), "A1", "agora sim"), edits(by(eve), "A1", "sou mesmo"), reacts(by(maria), "A1"));
  expect(await conversation(maria.phone!)).toMatchObject([{ body: "agora sim", isEdited: false, reactions: [{}] }]);
  expect(await conversation(eve.phone!)).toMatchObject([{ body: "sou mesmo", isEdited: true, reactions: [] }]);
  await receive(deletes(by(maria), "A1"));
  expect(await conversation(maria.phone!)).toMatchObject([{ isDeleted: true }]);
  expect(await conversation(eve.phone!)).toMatchObject([{ isDeleted: false }]);
});

test("a change that came before its message waits for the one of its own chat", async () => {
  await receive(says(by(maria), "A1", "sou a Maria"), edits(by(eve), "A1", "sou mesmo"));
  await receive(says(by(maria), "A2", "outra"));
  await receive(says(by(eve), "A1", "sou a Eve"));
  expect((await conversation(maria.phone!)).map(({ body }) => body)).toEqual(["sou a Maria", "outra"]);
  expect(await conversation(eve.phone!)).toMatchObject([{ body: "sou mesmo", isEdited: true }]);
});

test("a chat is the same under number and LID: in one batch, and when both turn out to be one person (W-10)", async () => {
  const lid: PersonRef = { phone: null, lid: "7701" };
  const both: PersonRef = { phone: maria.phone, lid: lid.lid };
  await receive(says(by(both), "A0", "oi"));
  await receive(says(by(lid), "A1", "um"), says(by(maria), "A1", "um"));
  expect((await stored()).map(({ body }) => body)).toEqual(["oi", "um"]);
  expect((await ticketOf(maria.phone!)).unreadMessages).toBe(2);
});

test("a message delivered under number and LID before both were linked is there once afterwards (W-10)", async () => {
  const lid: PersonRef = { phone: null, lid: "7701" };
  await receive(says(by(lid), "A1", "um"), says(by(lid), "A2", { kind: "undecryptable" }), says(by(lid), "A3", "três"));
  await receive(
    says(by(maria), "A1", "um"),
    says(by(maria), "A2", "dois"),
    says(by(maria), "A3", { kind: "undecryptable" }),
  );
  expect(await stored()).toHaveLength(6);
  await receive({ type: "identity", phone: maria.phone!, lid: lid.lid! });
  await receive(says(by(lid), "A1", "um"), says(by(maria), "A3", "três"));
  expect((await stored()).map(({ body }) => body).toSorted()).toEqual(["dois", "três", "um"]);
  expect((await ticketOf(maria.phone!)).unreadMessages).toBe(3);
});

describe("one batch, or one message, tells that a LID and a number are one person (W-10)", () => {
  const lid: PersonRef = { phone: null, lid: "7701" };
  const both: PersonRef = { phone: maria.phone, lid: lid.lid };
  const theirTickets = () => desk.rows<{ status: string }>(`select status from tickets`);
  const texts = async () => (await stored()).map(({ body }) => body);

  test("who is new has one contact and one conversation", async () => {
    await receive(says(by(lid), "A1", "um"), says(by(both), "A2", "dois"), says(by(maria), "A3", "três"));
    expect(await texts()).toEqual(["um", "dois", "três"]);
    expect(await theirTickets()).toHaveLength(1);
    expect(await desk.rows(`select 1 from contacts`)).toHaveLength(1);
  });

  test("so has who was known by number", async () => {
    await receive(says(by(maria), "A0", "oi"));
    await receive(says(by(lid), "A1", "um"), says(by(both), "A2", "dois"));
    expect(await texts()).toEqual(["oi", "um", "dois"]);
    expect(await theirTickets()).toHaveLength(1);
  });

  test("so has who was known under each, as two", async () => {
    await receive(says(by(maria), "A0", "oi"), says(by(lid), "A1", "um"));
    await receive(says(by(lid), "A2", "dois"), says(by(eve), "E1", "eu"), says(by(both), "A3", "três"));
    expect((await texts()).toSorted()).toEqual(["dois", "eu", "oi", "três", "um"]);
    expect(await theirTickets()).toHaveLength(2);
  });

  test("one message merges a closed and a waiting conversation of the same name, and is in what stays", async () => {
    const named = { pushName: "Maria" };
    await receive(says(by(maria), "A1", "um", named));
    const { id } = await ticketOf(maria.phone!);
    await admin.put(`/tickets/${id}`, { status: "open", userId: admin.id });
    await admin.put(`/tickets/${id}`, { status: "closed" });
    expect(await theirTickets()).toEqual([{ status: "closed" }]);
    await receive(says(by(lid), "A2", "dois", named));
    await receive(says(by(both), "A3", "três", named));
    expect(await theirTickets()).toEqual([{ status: "pending" }]);
    expect((await texts()).toSorted()).toEqual(["dois", "três", "um"]);
    await receive(says(by(both), "A4", "quatro", named));
    expect(await stored()).toHaveLength(4);
  });

  test("one message merges a waiting and an open conversation of the same name, and stays with the agent", async () => {
    const named = { pushName: "Maria" };
    await receive(says(by(lid), "A1", "um", named));
    const [ofLid] = await desk.rows<{ id: number }>(`select id from tickets`);
    const queueId = await desk.queue();
    await admin.put(`/tickets/${ofLid!.id}`, { status: "open", userId: admin.id, queueId });
    await receive(says(by(maria), "A2", "dois", named));
    expect((await theirTickets()).map(({ status }) => status).toSorted()).toEqual(["open", "pending"]);
    await receive(says(by(both), "A3", "três", named));
    expect(await theirTickets()).toEqual([{ status: "open" }]);
    expect((await texts()).toSorted()).toEqual(["dois", "três", "um"]);
    expect(await desk.rows(`select queue_id from messages where wa_id = 'A3'`)).toEqual([{ queue_id: queueId }]);
  });
});

test("after a merge of contacts a redelivery is recognised, and no message is lost (C-06)", async () => {
  await receive(says(by(maria), "A1", "sou a Maria"), says(by(maria), "A2", "outra"), says(by(eve), "A1", "sou a Eve"));
  const [kept, gone] = [(await ticketOf(maria.phone!)).contact.id, (await ticketOf(eve.phone!)).contact.id];
  const { body: merge } = await admin.post<{ id: number }>(`/contacts/${kept}/merge`, { contactId: gone });
  await receive(says(by(maria), "A1", "sou a Maria"), says(by(maria), "A2", "outra"));
  expect((await conversation(maria.phone!)).map(({ body }) => body).toSorted()).toEqual([
    "outra",
    "sou a Eve",
    "sou a Maria",
  ]);

  await admin.post(`/contacts/merges/${merge.id}/undo`);
  await receive(says(by(eve), "A1", "sou a Eve"));
  expect((await conversation(eve.phone!)).map(({ body }) => body)).toEqual(["sou a Eve"]);
  expect((await conversation(maria.phone!)).map(({ body }) => body)).toEqual(["sou a Maria", "outra"]);
});

test("message ids that contain a number sign are intact after a merge is undone (C-06)", async () => {
  const ids = ["B", "B#1", "B#2"];
  const both = (of: PersonRef, text: string) => ids.map((waId) => says(by(of), waId, `${text} ${waId}`));
  await receive(...both(maria, "Maria"), ...both(eve, "Eve"));
  const [kept, gone] = [(await ticketOf(maria.phone!)).contact.id, (await ticketOf(eve.phone!)).contact.id];
  const { body: merge } = await admin.post<{ id: number }>(`/contacts/${kept}/merge`, { contactId: gone });
  expect((await admin.post(`/contacts/merges/${merge.id}/undo`)).status).toBeLessThan(300);
  await receive(...both(maria, "Maria"), ...both(eve, "Eve"));
  expect(await conversation(eve.phone!)).toHaveLength(ids.length);
  expect(await stored()).toHaveLength(2 * ids.length);
});

test("a redelivery is recognised after its ticket moved to another connection (T-13)", async () => {
  await receive(says(by(maria), "A1", "oi"));
  const { id } = await ticketOf(maria.phone!);
  const other = await desk.connection();
  await desk.rows(`update tickets set connection_id = ${other} where id = ${id}`);
  await receive(says(by(maria), "A1", "oi"));
  expect(await stored()).toHaveLength(1);
});
