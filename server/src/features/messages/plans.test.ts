import { afterAll, beforeAll, expect, test } from "vitest";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { readTicketViews } from "#server/features/tickets/index.ts";
import { countStatements } from "#server/platform/db/index.ts";
import { asOwner } from "#server/testing/as-owner.ts";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { planAsRequest } from "#server/testing/generic-plan.ts";
import { createMessagesFeature } from "./feature.ts";
import { conversationQuery } from "./messages.view.queries.ts";
import { advanceAcks, failMessages } from "./send/index.ts";

/** Enough rows for the planner to prefer an index to a sequential scan. */
const ticketCount = 4_000;
let desk: Desk;
let agent: Person;

beforeAll(async () => {
  desk = await openDesk([tickets, createMessagesFeature(() => () => undefined)]);
  agent = await desk.person("admin");
  const { companyId, connectionId } = desk;
  await desk.rows(`
    with c as (insert into contacts (company_id, name, number)
      select ${companyId}, 'c' || n, '55119' || (10000000 + n) from generate_series(1, ${ticketCount}) n returning id)
    insert into tickets (company_id, connection_id, contact_id, status, last_message_at)
    select ${companyId}, ${connectionId}, id, 'closed', now() - id * interval '1 second' from c`);
  await desk.rows(`insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, body, sent_at)
    select t.company_id, t.id, t.contact_id, t.connection_id, 'w' || t.id || '-' || n, n % 2 = 0, 'x', now()
    from tickets t, generate_series(1, 6) n where t.company_id = ${companyId}`);
  await desk.rows(`insert into episodes (company_id, ticket_id, queued_at, finished_at)
    select company_id, id, now(), now() from tickets where company_id = ${companyId}`);
});
afterAll(() => desk.app.close());

test.each([
  ["by number", {}],
  ["before a message", { before: 5 }],
  ["in a jump to an older message", { before: 6, upTo: 2 }],
  ["after a message", { after: 5 }],
])("a page of a conversation %s uses indexes, for its quotes too (M-01)", async (_name, request) => {
  const { statement } = conversationQuery(agent.companyId, 1, { pageNumber: 1, ...request });
  expect(await scansOf([statement.text])).toEqual([]);
});

test("the messages of a conversation are counted in their index, wherever their rows are (M-01)", async () => {
  const { statement } = conversationQuery(agent.companyId, 1, { pageNumber: 1 });
  const { url } = desk.app.database;
  await asOwner(url, "vacuum analyze messages");
  const lines = await planAsRequest({ url, companyId: agent.companyId }, (plan) => plan(statement.text));
  expect(lines.filter((line) => line.includes("Index Only Scan using messages_in_ticket"))).toHaveLength(1);
});

test("a failure, an ack after it, and the row of the list that shows them use indexes (Z-02)", async () => {
  const [last] = await desk.rows<{ ticketId: number; waId: string }>(
    `select ticket_id as "ticketId", wa_id as "waId" from messages where from_me order by id desc limit 1`,
  );
  const { ticketId, waId } = last!;
  await desk.rows(`update tickets t set last_message_from_me = true, last_message_at = m.sent_at from messages m
    where t.id = m.ticket_id and m.wa_id = '${waId}'`);
  const { statements } = await countStatements(() =>
    desk.within(async (ctx) => {
      await failMessages(ctx, desk.connectionId, [waId], "limited");
      expect(await readTicketViews(ctx, [ticketId])).toMatchObject([{ lastMessageFailed: true }]);
      await advanceAcks(ctx, desk.connectionId, [waId], 1);
    }),
  );
  const asked = statements.filter((text) => /\b(messages|tickets)\b/.test(text));
  expect(asked.length).toBeGreaterThanOrEqual(7);
  expect(await scansOf(asked)).toEqual([]);
});

/** The lines of the plans that scan a whole table. */
async function scansOf(statements: readonly string[]): Promise<string[]> {
  const { url } = desk.app.database;
  return planAsRequest({ url, companyId: agent.companyId }, async (plan) => {
    const scans: string[] = [];
    for (const statement of statements) {
      const lines = await plan(statement);
      expect(lines.length).toBeGreaterThan(0);
      scans.push(...lines.filter((line) => /Seq Scan on (messages|tickets|contacts|episodes)\b/.test(line)));
    }
    return scans;
  });
}
