import type { Message } from "@prosa/contract";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { changeLimit } from "#server/features/connections/health/index.ts";
import { feature as sending } from "#server/features/sending/feature.ts";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { countStatements } from "#server/platform/db/index.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { waitUntil } from "#server/testing/wait-until.ts";
import { createMessagesFeature } from "../feature.ts";
import { sendMessages } from "./index.ts";

const lines = new Map<number, FakeLine>();
const clock = createMovedClock();
let desk: Desk;
let line: FakeLine;
let agent: Person;

beforeEach(async () => {
  lines.clear();
  clock.set("2026-05-04T15:00:00Z");
  const messages = createMessagesFeature(() => (id) => lines.get(id));
  desk = await aDesk([tickets, sending, messages, fakeLinesFeature(lines)], { clock });
  line = createFakeLine(desk.connectionId);
  lines.set(desk.connectionId, line);
  agent = await desk.person("user");
});

/** A conversation that the agent serves; `wrote`: how many days ago its contact did. */
async function conversation({ wrote }: { readonly wrote?: number } = {}) {
  const ticket = await desk.ticket({ status: "open", user: agent, lastMessageAt: clock.now() });
  if (wrote !== undefined) {
    await hear(ticket, wrote);
  }
  return { ...ticket, say: (body: string) => agent.post<Message[]>(`/messages/${ticket.id}`, { body }) };
}

async function hear({ id, contactId }: { readonly id: number; readonly contactId: number }, daysAgo = 0) {
  await desk.within(({ db }) =>
    sql`insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, sent_at, body)
      values (${desk.companyId}, ${id}, ${contactId}, ${desk.connectionId}, ${`IN${id}-${daysAgo}`}, false,
        ${clock.now()}::timestamptz - ${`${daysAgo} days`}::interval, 'oi')`.execute(db),
  );
}

const within = <T>(work: (ctx: Ctx) => Promise<T>) =>
  desk.app.db.inCompany(
    {
      actor: { kind: "system", companyId: desk.companyId, reason: "test" },
      companyId: desk.companyId,
      clock,
      log: desk.app.services.log,
    },
    work,
  );
const lock = (until: Date | null) =>
  within((ctx) =>
    changeLimit(ctx, desk.connectionId, { kind: "newChats", isActive: until !== null, until, cause: "quality" }),
  );
const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000);
const startedToday = () =>
  within(async (ctx) => {
    const { rows } = await sql<{ started: number }>`
      select coalesce(sum(started), 0)::int as started from line_days where connection_id = ${desk.connectionId}`.execute(
      ctx.db,
    );
    return rows[0]?.started;
  });

test("under a time lock no conversation is started and no reply is held; it goes on at the stated time (P-04)", async () => {
  const [stranger, old, known] = [
    await conversation(),
    await conversation({ wrote: 29 }),
    await conversation({ wrote: 27 }),
  ];
  await lock(inMinutes(60));
  await stranger.say("olá, tudo bem?");
  await old.say("quanto tempo");
  await known.say("respondendo");
  await desk.app.settle();
  expect(line.texts()).toEqual(["respondendo"]);

  clock.advance({ minutes: 59 });
  await desk.app.settle();
  expect(line.texts()).toEqual(["respondendo"]);
  clock.advance({ minutes: 1 });
  await desk.app.settle();
  expect(line.texts().toSorted()).toEqual(["olá, tudo bem?", "quanto tempo", "respondendo"]);
});

test("a lock that is lifted lets what waits go on at once, without a look each second (P-04)", async () => {
  const { say } = await conversation();
  await lock(inMinutes(600));
  await say("olá");
  await desk.app.settle();
  const [waiting] = await desk.rows<{ run_at: Date }>("select run_at from jobs where task = 'messages.send'");
  expect(waiting?.run_at.getTime()).toBe(clock.now().getTime() + 30_000);

  await lock(null);
  await waitUntil(async () => {
    await desk.app.settle();
    return line.texts().length > 0;
  });
  expect(line.texts()).toEqual(["olá"]);
});

test("a contact who writes meanwhile is replied to: what was held goes with the reply, in order (P-04)", async () => {
  const ticket = await conversation();
  await lock(inMinutes(600));
  await ticket.say("olá");
  await desk.app.settle();
  expect(line.texts()).toEqual([]);
  await hear(ticket);
  await ticket.say("que bom que escreveu");
  await desk.app.settle();
  expect(line.texts()).toEqual(["olá", "que bom que escreveu"]);
});

test("a used-up allowance holds as a lock does (P-04)", async () => {
  const { say } = await conversation();
  await within((ctx) =>
    changeLimit(ctx, desk.connectionId, { kind: "quota", level: "capped", used: 50, total: 50, until: inMinutes(30) }),
  );
  await say("olá");
  await desk.app.settle();
  expect(line.texts()).toEqual([]);
  clock.advance({ minutes: 30 });
  await desk.app.settle();
  expect(line.texts()).toEqual(["olá"]);
});

test("what a person starts counts once in the line's day, when it is sent; replies never count (P-03)", async () => {
  const [stranger, known] = [await conversation(), await conversation({ wrote: 2 })];
  await known.say("respondendo");
  await stranger.say("olá");
  await stranger.say("tudo bem?");
  await desk.app.settle();
  expect(line.texts()).toHaveLength(3);
  expect(await startedToday()).toBe(1);
});

test("a reply costs its job as many statements as before the gate; a start three more, once (P-03)", async () => {
  const { say } = await conversation({ wrote: 1 });
  await say("primeira");
  await desk.app.settle();
  await say("segunda");
  const reply = await countStatements(() => desk.app.settle());
  const start = await conversation();
  await start.say("olá");
  const started = await countStatements(() => desk.app.settle());
  expect(line.texts()).toHaveLength(3);
  expect([reply.inAll, started.inAll - reply.inAll]).toEqual([12, 3]);
});

test("two campaigns keep a second between what the line sends, however late their jobs are (P-03)", async () => {
  const people = [await conversation(), await conversation(), await conversation()];
  for (const [index, { id }] of people.entries()) {
    const message = { mediaType: "chat", body: `oferta ${index}`, quotedId: null, file: null } as const;
    const data = { campaign: { id: index, name: "Natal" } };
    const options = { isAutomatic: true, clientId: `campaign-${index}-1`, priority: "bulk" } as const;
    await within((ctx) => sendMessages(ctx, id, [{ ...message, data }], options));
  }
  const sentAt: number[] = [];
  line.onSend = () => {
    sentAt.push(clock.now().getTime());
  };
  for (let step = 0; step < 20 && sentAt.length < 3; step += 1) {
    await desk.app.settle();
    clock.advance({ seconds: 0.4 });
  }
  expect(sentAt).toHaveLength(3);
  const gaps = sentAt.slice(1).map((at, index) => at - sentAt[index]!);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
  // The day's count is the admission's.
  expect(await startedToday()).toBe(0);
});
