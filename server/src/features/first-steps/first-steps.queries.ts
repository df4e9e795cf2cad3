import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";

export interface FirstStepsRow {
  readonly hasLinked: boolean;
  readonly message: boolean;
  readonly colleague: boolean;
  readonly queue: boolean;
}

/**
 * Each stops at the first row that it finds. Messages are found by their tickets: there is no index of a company's messages,
 * and a new company among large ones has none. Only the latest word of each customer is read: chats that a phone exported do
 * not count, have thousands, and are older.
 */
export async function findFirstSteps(ctx: Ctx): Promise<FirstStepsRow> {
  const { companyId } = ctx;
  const { rows } = await sql<FirstStepsRow>`
    select exists (select from connections where company_id = ${companyId} and number is not null) as "hasLinked",
      exists (
        select from tickets t cross join lateral (
          select m.data from messages m where m.ticket_id = t.id and not m.from_me
          order by m.sent_at desc, m.id desc limit 1) as latest
        where t.company_id = ${companyId} and (latest.data ->> 'imported') is null) as message,
      exists (select from users where company_id = ${companyId} offset 1) as colleague,
      exists (select from queues where company_id = ${companyId}) as queue`.execute(ctx.db);
  return rows[0]!;
}
