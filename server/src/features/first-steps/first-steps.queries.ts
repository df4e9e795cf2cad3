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
 * and a new company among large ones has none. The latest ones first: chats that a phone exported do not count, and are older.
 */
export async function findFirstSteps(ctx: Ctx): Promise<FirstStepsRow> {
  const { companyId } = ctx;
  const { rows } = await sql<FirstStepsRow>`
    select exists (select from connections where company_id = ${companyId} and number is not null) as "hasLinked",
      exists (
        select from tickets t cross join lateral (
          select m.id from messages m
          where m.ticket_id = t.id and not m.from_me and (m.data ->> 'imported') is null
          order by m.sent_at desc, m.id desc limit 1) as inbound
        where t.company_id = ${companyId}) as message,
      exists (select from users where company_id = ${companyId} offset 1) as colleague,
      exists (select from queues where company_id = ${companyId}) as queue`.execute(ctx.db);
  return rows[0]!;
}
