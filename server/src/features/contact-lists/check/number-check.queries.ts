import { contactListRules } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type {} from "../contact-lists.tables.ts";
import type { CheckedItems, KnownItem, UncheckedItem } from "./settle-checked.ts";

/** The next items of a list that were not checked, in the order in which they were added. */
export async function findUnchecked(ctx: Ctx, contactListId: number): Promise<UncheckedItem[]> {
  return ctx.db
    .selectFrom("contact_list_items")
    .select(["id", "number", "match_number as matchNumber"])
    .where("company_id", "=", ctx.companyId)
    .where("contact_list_id", "=", contactListId)
    .where("is_whatsapp_valid", "is", null)
    .orderBy("id")
    .limit(contactListRules.checkBatch)
    .execute();
}

/** Those of these items that are still unchecked under the number that was asked about. */
export async function findStillUnchecked(ctx: Ctx, asked: readonly UncheckedItem[]): Promise<UncheckedItem[]> {
  const { rows } = await sql<UncheckedItem>`
    select i.id, i.number, i.match_number as "matchNumber"
    from unnest(${asked.map(({ id }) => id)}::int[], ${asked.map(({ number }) => number)}::text[]) as a(id, number)
    join contact_list_items i on i.id = a.id and i.number = a.number
    where i.company_id = ${ctx.companyId} and i.is_whatsapp_valid is null order by i.id`.execute(ctx.db);
  return rows;
}

/** The items of a list that have one of these numbers or LIDs. */
export async function findKnown(
  ctx: Ctx,
  contactListId: number,
  { matchNumbers, lids }: { readonly matchNumbers: readonly string[]; readonly lids: readonly string[] },
): Promise<KnownItem[]> {
  const { rows } = await sql<KnownItem>`
    select id, match_number as "matchNumber", lid from contact_list_items
    where company_id = ${ctx.companyId} and contact_list_id = ${contactListId} and match_number = any(${matchNumbers}::text[])
    union
    select id, match_number, lid from contact_list_items
    where company_id = ${ctx.companyId} and contact_list_id = ${contactListId} and lid = any(${lids}::text[])`.execute(
    ctx.db,
  );
  return rows;
}

export async function saveChecked(ctx: Ctx, { valid, invalid, duplicates }: CheckedItems): Promise<void> {
  if (duplicates.length > 0) {
    await sql`delete from contact_list_items
      where company_id = ${ctx.companyId} and id = any(${duplicates}::int[])`.execute(ctx.db);
  }
  await sql`
    with checked as (
      select * from jsonb_to_recordset(${JSON.stringify(valid)}::jsonb)
        as v(id int, number text, "matchNumber" text, lid text)
      union all select id, null, null, null from unnest(${invalid}::int[]) as i(id)
    )
    update contact_list_items i set is_whatsapp_valid = c.number is not null, checked_at = ${ctx.now()},
      number = coalesce(c.number, i.number), match_number = coalesce(c."matchNumber", i.match_number), lid = c.lid
    from checked c where i.company_id = ${ctx.companyId} and i.id = c.id`.execute(ctx.db);
}

/** Forgets what is known of the numbers of a list, so that all are checked again. */
export async function forgetChecks(ctx: Ctx, contactListId: number): Promise<void> {
  await sql`update contact_list_items set is_whatsapp_valid = null, checked_at = null, lid = null
    where company_id = ${ctx.companyId} and contact_list_id = ${contactListId}
      and is_whatsapp_valid is not null`.execute(ctx.db);
}
