import type { Message, Ticket } from "@prosa/contract";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { messageFrom } from "#server/testing/bot-scenario.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import type { LineEvent } from "#server/whatsapp/port.ts";
import { contactResolver } from "./inbound-contact-resolver.ts";
import { createIngest } from "./ingest.ts";

const clock = createMovedClock("2026-05-04T12:00:00Z");
const maria = "5511988887777";
let desk: Desk;
let admin: Person;
let receive: (...events: readonly LineEvent[]) => Promise<void>;

beforeEach(async () => {
  clock.set("2026-05-04T12:00:00Z");
  desk = await aDesk([tickets, createMessagesFeature(() => () => undefined)], { clock });
  admin = await desk.person("admin");
  await desk.rows(`insert into settings values (${desk.companyId}, 'CheckMsgIsGroup', 'disabled')`);
  const ingest = createIngest({ vault: desk.app.services.vault, contacts: contactResolver, isSilent: true });
  const { companyId, connectionId } = desk;
  const scope = { actor: { kind: "line", companyId, connectionId }, companyId, log: desk.app.services.log } as const;
  receive = (...events) => desk.app.db.inCompany({ ...scope, clock }, (ctx) => ingest(ctx, connectionId, events));
});

const messageOf = (waId: string, text = waId): LineEvent => {
  const { message } = messageFrom(maria, text, clock.now());
  return { type: "message", message: { ...message, waId } };
};
const read = (upTo: readonly string[] | Date, phone = maria): LineEvent => {
  return { type: "read", chat: { kind: "phone", value: phone }, person: { phone, lid: null }, upTo };
};
const note = (text: string, me = "5511990000001"): LineEvent => {
  const { message } = messageFrom(me, text, clock.now());
  return { type: "message", message: { ...message, pushName: "Loja", fromMe: true, isNote: true } };
};
const ticket = async () => {
  const { body } = await admin.get<{ tickets: Ticket[] }>("/tickets?status=pending&showAll=true");
  return body.tickets[0]!;
};

test("reading on the phone clears the unread counter, live, and sends no receipts (M-14, W-08)", async () => {
  await receive(messageOf("A1"), messageOf("A2"));
  const { id } = await ticket();
  await desk.app.settle();
  const browser = await admin.connect();
  await browser.join("joinTickets", "pending");

  await receive(read(["A1", "A2"]));
  await desk.app.settle();

  const packets = await browser.next(`company-${desk.companyId}-ticket`);
  expect(packets.payload).toMatchObject({ action: "updateUnread", ticketId: id });
  expect(await ticket()).toMatchObject({ id, status: "pending", unreadMessages: 0 });
  expect(await desk.rows("select 1 from messages where not is_read")).toEqual([]);
  expect(await desk.rows("select 1 from jobs where task = 'messages.receipts'")).toEqual([]);
  browser.close();
});

test("a browser that was away hears of a message that came after the read mark as unread (N-05, M-14)", async () => {
  await receive(messageOf("A0"));
  await desk.app.settle();
  const away = await admin.connect();
  const cursor = await away.ready;
  away.close();
  await receive(messageOf("A1"));
  await receive(read(["A0", "A1"]));
  clock.advance({ seconds: 5 });
  await receive(messageOf("A2"));
  await desk.app.settle();

  const back = await admin.connect(desk.app, { cursor, joins: [["joinTickets", "pending"]] });
  await back.flushed();
  const told = back.packets.flatMap(({ payload }) => {
    const { action, ticket: shown } = payload as { readonly action?: string; readonly ticket?: Ticket };
    return action === "updateUnread" ? [0] : shown ? [shown.unreadMessages] : [];
  });
  expect(told.at(-1)).toBe(1);
  back.close();
});

test("messages after that stay unread; a late or repeated receipt changes nothing (M-14)", async () => {
  await receive(messageOf("A1"), messageOf("A2"));
  clock.advance({ seconds: 5 });
  await receive(messageOf("A3"), read(["A2"]));
  expect(await ticket()).toMatchObject({ unreadMessages: 1 });
  await receive(read(["A1"]), read(["A2"]), read(["unknown"]));
  expect(await ticket()).toMatchObject({ unreadMessages: 1 });
  expect(await desk.rows("select wa_id from messages where not is_read")).toEqual([{ wa_id: "A3" }]);
  await receive(read(["A3"]));
  expect(await ticket()).toMatchObject({ unreadMessages: 0 });
});

test("a chat that is marked as read in the phone's list is read here; others and strangers are not touched", async () => {
  await receive(messageOf("A1"), messageFrom("5511966665555", "oi", clock.now()));
  await receive(read(clock.now()), read(clock.now(), "5511900000000"));
  const unread = await desk.rows(
    "select unread_messages as n from tickets order by contact_id = (select id from contacts where number = '5511966665555')",
  );
  expect(unread).toEqual([{ n: 0 }, { n: 1 }]);
});

test("a message in the batch of a read mark, but sent after it, stays unread (M-14)", async () => {
  await receive(messageOf("A1"), messageOf("A2"));
  const marked = clock.now();
  clock.advance({ seconds: 5 });
  await receive(read(marked), messageOf("A3"));
  expect(await ticket()).toMatchObject({ unreadMessages: 1 });
  expect(await desk.rows("select wa_id from messages where not is_read")).toEqual([{ wa_id: "A3" }]);
  await receive(read(marked));
  expect(await ticket()).toMatchObject({ unreadMessages: 1 });
});

test("a batch locks the tickets that were read in the order of their ids, and before any message's state", async () => {
  const other = "5511966665555";
  await receive(messageOf("A1"), messageFrom(other, "oi", clock.now()));
  await desk.rows(
    "insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, body, sent_at) select company_id, ticket_id, contact_id, connection_id, 'S1', true, 'x', sent_at from messages where wa_id = 'A1'",
  );
  const [first, second] = await desk.rows<{ id: number; number: string }>(
    "select t.id, c.number from tickets t join contacts c on c.id = t.contact_id order by t.id",
  );
  const now = clock.now();
  let batch: Promise<void> | undefined;
  await desk.within(async ({ db }) => {
    const rows = async (text: string) => (await sql.raw(text).execute(db)).rows;
    await rows(`select 1 from tickets where id = ${first!.id} for update`);
    batch = receive(
      { type: "status", waIds: ["S1"], status: 4, reason: null },
      read(now, second!.number),
      read(now, first!.number),
    );
    const waiting = "select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))";
    await expect.poll(() => rows(waiting), { timeout: 20_000 }).not.toEqual([]);
    expect(await rows(`select 1 from tickets where id = ${second!.id} for update nowait`)).toHaveLength(1);
    expect(await rows("select 1 from messages where wa_id = 'S1' for update nowait")).toHaveLength(1);
  });
  await batch;
  expect(await desk.rows("select ack from messages where wa_id = 'S1'")).toEqual([{ ack: 4 }]);
  expect(await desk.rows("select 1 from messages where not is_read and not from_me")).toEqual([]);
});

test("the owner's chat with themselves has a name in the connection's language, is not pending and rings no device (W-08)", async () => {
  await desk.rows(`update connections set language = 'es' where id = ${desk.connectionId}`);
  await receive(note("comprar café"));
  await receive(note("e leite"));
  const rows = await desk.rows(
    `select c.name, c.number, t.status, t.unread_messages as unread from tickets t join contacts c on c.id = t.contact_id`,
  );
  expect(rows).toEqual([{ name: "Notas (tú)", number: "5511990000001", status: "closed", unread: 0 }]);
  const { body } = await admin.get<{ tickets: Ticket[] }>("/tickets?status=closed&showAll=true");
  const page = await admin.get<{ messages: Message[] }>(`/messages/${body.tickets[0]!.id}?peek=true`);
  expect(page.body.messages.map(({ body: text, fromMe }) => [text, fromMe])).toEqual([
    ["comprar café", true],
    ["e leite", true],
  ]);
});

test("such a chat of an earlier release that has its number as name gets the name; another name is kept", async () => {
  await receive(messageFrom("5511990000001", "x", clock.now()));
  await desk.rows("update contacts set name = number");
  await receive(note("comprar café"));
  expect(await desk.rows("select name from contacts")).toEqual([{ name: "Notas (você)" }]);
  await desk.rows("update contacts set name = 'Meus lembretes', is_named = true");
  await receive(note("e leite"));
  expect(await desk.rows("select name from contacts")).toEqual([{ name: "Meus lembretes" }]);
});
