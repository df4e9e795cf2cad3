import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import { namesOneOf } from "#server/platform/db/index.ts";
import type { PersonalDataOwner } from "#server/platform/personal-data.ts";
import type {} from "../lines.tables.ts";

/** What was kept for contacts that ask for these messages again. */
export async function deleteSentPayloads(
  ctx: Ctx,
  messages: readonly { readonly connectionId: number | null; readonly waId: string }[],
): Promise<void> {
  await sql`delete from sent_payloads p
    using unnest(${messages.map(({ connectionId }) => connectionId)}::int[],
      ${messages.map(({ waId }) => waId)}::text[]) as m(connection_id, wa_id)
    where p.company_id = ${ctx.companyId} and p.connection_id = m.connection_id and p.wa_id = m.wa_id`.execute(ctx.db);
}

/**
 * The person's keys in the stores of the lines (their ids name the number or the LID), answers that other processes have not
 * fetched yet, and lines' logs (V-02). A session whose keys are gone is made anew when the person writes again.
 */
export const lineData: readonly PersonalDataOwner[] = [
  {
    name: "connections.keys",
    async erase(ctx, { numbers, lids }, limit) {
      const ids = [...numbers, ...lids];
      const { numAffectedRows = 0n } = await sql`delete from wa_keys where (connection_id, kind, id) in (
        select connection_id, kind, id from wa_keys where company_id = ${ctx.companyId}
          and ${namesOneOf(sql`id`, ids)} limit ${limit})`.execute(ctx.db);
      return { rows: Number(numAffectedRows) };
    },
  },
  {
    name: "connections.answers",
    async erase(ctx, { numbers, lids }, limit) {
      const ids = [...numbers, ...lids];
      const { numAffectedRows = 0n } = await sql`delete from line_answers where id in (
        select id from line_answers where company_id = ${ctx.companyId}
          and ${namesOneOf(sql`answer::text`, ids)} limit ${limit})`.execute(ctx.db);
      return { rows: Number(numAffectedRows) };
    },
  },
  {
    name: "connections.log",
    async erase(ctx, { numbers, lids }, limit) {
      const ids = [...numbers, ...lids];
      const { numAffectedRows = 0n } = await sql`update line_log set detail = null where id in (
        select id from line_log where company_id = ${ctx.companyId} and detail is not null
          and ${namesOneOf(sql`detail`, ids)} limit ${limit})`.execute(ctx.db);
      return { rows: Number(numAffectedRows) };
    },
  },
];
