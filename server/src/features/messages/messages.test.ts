import { compareMessages } from "@prosa/contract";
import type { Message, Ticket } from "@prosa/contract";
import { beforeEach, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { countStatements } from "#server/platform/db/index.ts";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { asOwner } from "#server/testing/as-owner.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { createMessagesFeature } from "./feature.ts";

interface Page {
  readonly messages: Message[];
  readonly ticket: Ticket;
  readonly count: number;
  readonly hasMore: boolean;
  readonly episodes: unknown[];
}

const clock = createMovedClock("2026-05-04T12:00:00Z");
let desk: Desk;
let agent: Person;
let ticketId: number;
let contactId: number;

beforeEach(async () => {
  desk = await aDesk([tickets, createMessagesFeature(() => () => undefined)], { clock });
  agent = await desk.person("user");
  ({ id: ticketId, contactId } = await desk.ticket({ status: "open", user: agent, lastMessageAt: clock.now() }));
});

const page = async (query = "") => (await agent.get<Page>(`/messages/${ticketId}?${query}`)).body;

/** Inserts messages of the contact without a line. */
async function receive(texts: readonly string[], at = clock.now()): Promise<void> {
  for (const text of texts) {
    await desk.rows(`insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, body, sent_at)
      values (${desk.companyId}, ${ticketId}, ${contactId}, ${desk.connectionId}, 'in-${text}', false, '${text}', '${at.toISOString()}')`);
  }
  await desk.rows(`update tickets set unread_messages = ${texts.length} where id = ${ticketId}`);
}

test("pages of 20, newest first, each oldest to newest; by number and by key the same (M-01, M-16)", async () => {
  for (let n = 0; n < 45; n += 1) {
    await receive([`m${n}`], new Date(Date.UTC(2026, 4, 4, 10, 0, Math.floor(n / 3))));
  }
  const pages = [await page("pageNumber=1"), await page("pageNumber=2"), await page("pageNumber=3")];
  expect(pages.map(({ messages, hasMore, count }) => [messages.length, hasMore, count])).toEqual([
    [20, true, 45],
    [20, true, 45],
    [5, false, 45],
  ]);
  const texts = pages.toReversed().flatMap(({ messages }) => messages.map(({ body }) => body));
  expect(texts).toEqual(Array.from({ length: 45 }, (_, n) => `m${n}`));

  const before = await page(`before=${pages[0]!.messages[0]!.id}`);
  expect(before.messages).toEqual(pages[1]!.messages);
  const after = await page(`after=${pages[0]!.messages.at(-3)!.id}`);
  expect(after.messages.map(({ body }) => body)).toEqual(["m43", "m44"]);
});

test("by key, pages have the order of compareMessages in the contract (M-16)", async () => {
  // Rows in another order than their times: late messages of a backlog, and several of one second.
  const seconds = [5, 3, 3, 9, 1, 3, 9, 2, 5, 5];
  for (const [n, second] of seconds.entries()) {
    await receive([`m${n}`], new Date(Date.UTC(2026, 4, 4, 10, 0, second)));
  }
  const { messages } = await page();
  const sorted = messages.toSorted(compareMessages);
  expect(messages).toEqual(sorted);
  for (const [at, { id }] of sorted.entries()) {
    expect((await page(`before=${id}`)).messages).toEqual(sorted.slice(0, at));
    expect((await page(`after=${id}`)).messages).toEqual(sorted.slice(at + 1));
  }
});

test("a jump to an old message returns all messages up to it, and a page beyond it (M-09, T-03)", async () => {
  await receive(
    Array.from({ length: 70 }, (_, n) => `m${n}`),
    new Date(Date.UTC(2026, 4, 4, 10, 0, 0)),
  );
  const newest = await page();
  const idOf = async (text: string) =>
    (await desk.rows<{ id: number }>(`select id from messages where body = '${text}'`)).at(-1)!.id;
  const before = `before=${newest.messages[0]!.id}`;
  const jump = await page(`${before}&upTo=${await idOf("m25")}`);
  expect([jump.messages[0]!.body, jump.messages.at(-1)!.body, jump.messages.length, jump.hasMore]).toEqual([
    "m5",
    "m49",
    45,
    true,
  ]);
  expect(await page(`${before}&upTo=${await idOf("m3")}`)).toMatchObject({ hasMore: false });
  expect((await page(`${before}&upTo=999999`)).messages).toHaveLength(20);
});

test("a key of another conversation, or of a deleted message, is refused (M-16)", async () => {
  await receive(["oi"]);
  for (const query of ["before=999999", "after=999999"]) {
    expect(await agent.get(`/messages/${ticketId}?${query}`)).toMatchObject({
      status: 404,
      body: { error: "ERR_NO_MESSAGE_FOUND" },
    });
  }
});

test("the page has the episodes of its period (M-01)", async () => {
  await receive(["oi"]);
  const queueId = await desk.queue();
  await desk.rows(`update episodes set user_id = ${agent.id}, queue_id = ${queueId} where ticket_id = ${ticketId}`);
  const { episodes } = await page();
  expect(episodes).toMatchObject([
    {
      ticketId,
      startedAt: expect.any(String),
      user: { id: agent.id, name: expect.any(String) },
      queue: { id: queueId },
    },
  ]);
  expect((await agent.get(`/tickets/${ticketId}/episodes`)).body).toEqual(episodes);
});

test("a page without unread messages takes one statement (M-16)", async () => {
  await receive(["oi"]);
  await page();
  const { statements, transactions } = await countStatements(() => page());
  expect(statements).toHaveLength(1);
  expect(transactions).toBe(1);
});

test("a ticket whose view nobody has read comes with its page, one that changed in a second statement (M-16, T-05)", async () => {
  await agent.get("/tickets?showAll=true"); // the company's names
  // The process keeps views by the ids of tickets, which tests of other databases have used.
  await asOwner(desk.app.database.url, "select setval('tickets_id_seq', 1000000)");
  const { id } = await desk.ticket({ status: "open", user: agent, name: "Íris" });
  const open = () => countStatements(() => agent.get<Page>(`/messages/${id}`));

  const first = await open();
  const kept = await open();
  await desk.rows(`update tickets set last_message = 'novo' where id = ${id}`);
  const changed = await open();

  expect([first, kept, changed].map(({ statements }) => statements.length)).toEqual([1, 1, 2]);
  expect(first.result.body.ticket).toMatchObject({ contact: { name: "Íris" }, user: { id: agent.id }, tags: [] });
  expect(kept.result.body.ticket).toEqual(first.result.body.ticket);
  expect(changed.result.body.ticket).toEqual({ ...first.result.body.ticket, lastMessage: "novo" });
});

test("a page that is fetched ahead leaves the conversation unread; opening it does not (Z-06)", async () => {
  await receive(["olá"]);

  expect((await page("ahead=true")).messages).toHaveLength(1);
  expect((await page("ahead=true")).ticket.unreadMessages).toBe(1);
  expect((await page()).ticket.unreadMessages).toBe(0);
});
