import type { Ticket } from "@prosa/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { sendMessages, toOutgoingMessages } from "#server/features/messages/index.ts";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import type { InboundMessage, LineEvent } from "#server/whatsapp/port.ts";
import { contactResolver } from "./inbound-contact-resolver.ts";
import { createIngest } from "./ingest.ts";

const start = "2026-05-04T12:00:00.000Z";
const clock = createMovedClock(start);
const lines = new Map<number, FakeLine>();
let desk: Desk;
let agent: Person;
let admin: Person;
beforeAll(async () => {
  desk = await openDesk([tickets, createMessagesFeature(() => (id) => lines.get(id)), fakeLinesFeature(lines)], {
    clock,
  });
  lines.set(desk.connectionId, createFakeLine(desk.connectionId));
  [agent, admin] = [await desk.person("user", { allTicket: true }), await desk.person("admin")];
});
afterAll(() => desk.app.close());

/** A contact of its own for each story. */
let phone = "";
let counter = 0;
beforeEach(() => {
  clock.set(start);
  phone = String(5_511_970_000_000 + (counter += 1));
});

/** The time so many minutes after the start, as the contract writes it. */
const at = (minutes: number) => new Date(Date.parse(start) + minutes * 60_000).toISOString();

function wrote(minutes: number, more: Partial<InboundMessage> = {}): LineEvent {
  return {
    type: "message",
    message: {
      waId: `W${(counter += 1)}`,
      chat: { kind: "phone", value: phone },
      person: { phone, lid: null },
      fromMe: false,
      participant: null,
      pushName: "Maria",
      at: new Date(at(minutes)),
      isOffline: false,
      quotedWaId: null,
      content: { kind: "text", text: `às ${minutes}` },
      ...more,
    },
  };
}

async function receive(...events: readonly LineEvent[]): Promise<void> {
  const { app, companyId, connectionId } = desk;
  // Silent: what the bot says would be sent through features that this desk does not have.
  const ingest = createIngest({ vault: app.services.vault, contacts: contactResolver, isSilent: true });
  const actor = { kind: "line" as const, companyId, connectionId };
  await app.db.inCompany({ actor, companyId, log: app.services.log, clock }, (ctx) =>
    ingest(ctx, connectionId, events),
  );
}

async function ticket(): Promise<Ticket> {
  const { body } = await admin.get<{ tickets: Ticket[] }>(`/tickets?searchParam=${phone}`);
  expect(body.tickets).toHaveLength(1);
  return body.tickets[0]!;
}
const waitingSince = async () => (await ticket()).waitingSince;
const put = async (body: object, who = agent) =>
  expect((await who.put(`/tickets/${(await ticket()).id}`, body)).status).toBe(200);
const answer = async (text = "Olá!") =>
  expect((await agent.post(`/messages/${(await ticket()).id}`, { body: text })).status).toBe(200);

test("a contact waits from its first word until a person answers; accepting and the bot are no answer (Z-01)", async () => {
  await receive(wrote(0));
  await receive(wrote(2));
  expect(await waitingSince()).toBe(at(0));

  const { id } = await ticket();
  await desk.app.database.inCompany(desk.companyId, (ctx) =>
    sendMessages(ctx, id, toOutgoingMessages({ body: "Bem-vindo", voice: false }, []), { isAutomatic: true }),
  );
  clock.set(at(5));
  await put({ status: "open" });
  expect(await waitingSince()).toBe(at(0));

  await answer();
  expect(await waitingSince()).toBeNull();
  await receive(wrote(6));
  await receive(wrote(7));
  expect(await waitingSince()).toBe(at(6));
  await put({ status: "closed" });
  expect(await waitingSince()).toBeNull();
});

test("a ticket that comes back to a queue without an unanswered word waits from then on (Z-01)", async () => {
  await receive(wrote(0));
  await put({ status: "open" });
  clock.set(at(1));
  await answer();
  clock.set(at(10));
  await put({ status: "pending", userId: null });
  expect(await waitingSince()).toBe(at(10));
  await receive(wrote(12));
  expect(await waitingSince()).toBe(at(10));

  clock.set(at(15));
  await put({ status: "open" });
  await answer();
  clock.set(at(20));
  await put({ queueId: await desk.queue(), status: "pending", userId: null }, admin);
  expect(await waitingSince()).toBe(at(20));
});

test("an unanswered word goes on waiting through return and transfer (Z-01)", async () => {
  await receive(wrote(0));
  await put({ status: "open" });
  clock.set(at(10));
  await put({ status: "pending", userId: null });
  expect(await waitingSince()).toBe(at(0));
  await put({ userId: admin.id }, admin);
  expect(await waitingSince()).toBe(at(0));
});

test("a reply from the phone is an answer, and what was written while the line was down counts by its time (Z-01)", async () => {
  const offline = { isOffline: true };
  clock.set(at(60));
  await receive(wrote(0, offline), wrote(10, { ...offline, fromMe: true }), wrote(20, offline), wrote(30, offline));
  expect(await waitingSince()).toBe(at(20));

  // Older than the word at 20: it answers nothing.
  await receive(wrote(15, { ...offline, fromMe: true }));
  expect(await waitingSince()).toBe(at(20));
  await receive(wrote(40, { fromMe: true }));
  expect(await waitingSince()).toBeNull();
});

test("the members of a group count as its contact (Z-01)", async () => {
  await desk.rows(`insert into settings values (${desk.companyId}, 'CheckMsgIsGroup', 'disabled')`);
  desk.app.db.cache.clear();
  const participant = { phone, lid: null, name: "Rui" };
  const nobody = { phone: null, lid: null };
  await receive(wrote(3, { chat: { kind: "group", value: `1203630${phone}` }, person: nobody, participant }));
  const { body } = await admin.get<{ tickets: Ticket[] }>("/tickets?status=pending");
  expect(body.tickets.find(({ isGroup }) => isGroup)?.waitingSince).toBe(at(3));
});

test("a bulk ends and keeps the wait like a single call, and its undo restores it (Z-01)", async () => {
  await receive(wrote(0));
  await put({ status: "open" });
  const { id } = await ticket();
  const { body } = await agent.post<{ bulkId: string }>("/tickets/bulk", { ticketIds: [id], act: { verb: "resolve" } });
  expect(await waitingSince()).toBeNull();
  expect((await agent.post(`/tickets/bulk/${body.bulkId}/undo`)).status).toBe(200);
  expect(await waitingSince()).toBe(at(0));

  await answer();
  clock.set(at(9));
  const act = { verb: "transfer", queueId: await desk.queue() };
  expect((await admin.post("/tickets/bulk", { ticketIds: [id], act })).status).toBe(200);
  expect(await waitingSince()).toBe(at(9));
});
