import { contactListRules, matchNumber, pageSize } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type {} from "./contact-lists.tables.ts";

export interface ItemRow {
  readonly id: number;
  readonly contact_list_id: number;
  readonly name: string;
  readonly number: string;
  readonly email: string;
  readonly is_whatsapp_valid: boolean | null;
}

const columns = [
  "id",
  "contact_list_id",
  "name",
  "number",
  "email",
  "is_whatsapp_valid",
] as const satisfies readonly (keyof ItemRow)[];
const shown = columns.join(", ");

/** Read in the order of names from the index, until the page is full. */
const PAGE: Statement<ItemRow> = {
  name: "contact_list_items_page",
  text: `select ${shown} from contact_list_items where company_id = $1 and contact_list_id = $2
    order by lower(name), id limit ${pageSize.others} offset $3::int`,
};

/** One more than a page, to tell whether there is another. A text that few items hold is sought in the whole list. */
const SEARCH: Statement<ItemRow> = {
  name: "contact_list_items_search",
  text: `select ${shown} from contact_list_items where company_id = $1 and contact_list_id = $2
      and strpos(search_text, folded($4)) > 0
    order by lower(name), id limit ${pageSize.others + 1} offset $3::int`,
};

interface ItemPage {
  readonly contactListId: number;
  readonly searchParam: string;
  readonly pageNumber: number;
}

/** A page by name. Without a text it has no `hasMore`: the list knows how many it holds. */
export async function findItems(ctx: Ctx, { contactListId, searchParam, pageNumber }: ItemPage): Promise<ItemRow[]> {
  const offset = (pageNumber - 1) * pageSize.others;
  return searchParam === ""
    ? ctx.raw(PAGE, [ctx.companyId, contactListId, offset])
    : ctx.raw(SEARCH, [ctx.companyId, contactListId, offset, termOf(searchParam)]);
}

/** People search a number as they see it: with spaces, brackets and dashes. */
function termOf(text: string): string {
  const digits = text.replaceAll(/[\s().+-]/g, "");
  return /^\d{3,}$/.test(digits) ? digits : text;
}

function items(ctx: Ctx) {
  return ctx.db.selectFrom("contact_list_items").select(columns).where("company_id", "=", ctx.companyId);
}

export async function findItem(ctx: Ctx, id: number): Promise<ItemRow | undefined> {
  return items(ctx).where("id", "=", id).executeTakeFirst();
}

export async function findItemsById(ctx: Ctx, ids: readonly number[]): Promise<ItemRow[]> {
  return items(ctx).where("id", "in", ids).execute();
}

export interface NewItem {
  readonly name: string;
  /** Digits with country code. */
  readonly number: string;
  readonly email: string;
}

/** Adds the items whose number is new to the list, and returns them. Of two with one number the first is added. */
export async function insertItems(ctx: Ctx, contactListId: number, added: readonly NewItem[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into contact_list_items (company_id, contact_list_id, name, number, match_number, email, created_at)
    select ${ctx.companyId}, ${contactListId}, name, number, match_number, email, ${ctx.now()}
    from unnest(${added.map(({ name }) => name)}::text[], ${added.map(({ number }) => number)}::text[],
      ${added.map(({ number }) => matchNumber(number))}::text[], ${added.map(({ email }) => email)}::text[])
      as added(name, number, match_number, email)
    on conflict (contact_list_id, match_number) do nothing returning id`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

export async function saveItem(ctx: Ctx, id: number, fields: Partial<NewItem>): Promise<void> {
  const { number } = fields;
  await ctx.db
    .updateTable("contact_list_items")
    .set({
      ...fields,
      // another number is another person until it was checked
      ...(number !== undefined && {
        match_number: matchNumber(number),
        lid: null,
        is_whatsapp_valid: null,
        checked_at: null,
      }),
    })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
}

export async function deleteItem(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.deleteFrom("contact_list_items").where("company_id", "=", ctx.companyId).where("id", "=", id).execute();
}

/** What of the company's contacts a list is filled with. */
export interface FillFrom {
  readonly tagIds: readonly number[];
  readonly searchParam: string;
}

/** Adds contacts of the company with a number: no groups, no blocked ones. Returns how many were found, and how many added. */
export async function insertContactsAsItems(
  ctx: Ctx,
  contactListId: number,
  { tagIds, searchParam }: FillFrom,
): Promise<{ readonly found: number; readonly added: number }> {
  const withTag = sql`exists (select from tickets t join ticket_tags tt on tt.ticket_id = t.id
    where t.company_id = c.company_id and t.contact_id = c.id and tt.tag_id = any(${tagIds}::int[]))`;
  const { rows } = await sql<{ found: number; added: number }>`
    with found as materialized (
      select name, number, email from contacts c
      where c.company_id = ${ctx.companyId} and c.number is not null and not c.is_group and not c.is_blocked
        and (${searchParam} = '' or strpos(c.search_text, folded(${termOf(searchParam)})) > 0)
        and ${tagIds.length === 0 ? sql`true` : withTag}
      order by c.id limit ${contactListRules.maxFill}
    ), added as (
      insert into contact_list_items (company_id, contact_list_id, name, number, match_number, email, created_at)
      select ${ctx.companyId}, ${contactListId}, name, number, match_number(number), email, ${ctx.now()} from found
      on conflict (contact_list_id, match_number) do nothing returning 1
    )
    select (select count(*)::int from found) as found, (select count(*)::int from added) as added`.execute(ctx.db);
  return rows[0] ?? { found: 0, added: 0 };
}

/** Those of these tags that are the company's. */
export async function countTags(ctx: Ctx, tagIds: readonly number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from tags where company_id = ${ctx.companyId} and id = any(${tagIds}::int[])`.execute(
    ctx.db,
  );
  return rows[0]?.count ?? 0;
}
