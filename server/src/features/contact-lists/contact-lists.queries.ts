import { pageSize } from "@prosa/contract";
import type { ContactList } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type {} from "./contact-lists.tables.ts";

export interface ListRow {
  readonly id: number;
  readonly name: string;
  readonly contacts_count: number;
  readonly valid_count: number;
  readonly invalid_count: number;
  readonly check_state: ContactList["checkState"];
  readonly duplicates_removed: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = [
  "id",
  "name",
  "contacts_count",
  "valid_count",
  "invalid_count",
  "check_state",
  "duplicates_removed",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof ListRow)[];

function lists(ctx: Ctx) {
  return ctx.db.selectFrom("contact_lists").where("company_id", "=", ctx.companyId);
}

/** A page of the lists whose name contains the text, by name. */
export async function searchLists(
  ctx: Ctx,
  { searchParam, pageNumber }: { readonly searchParam: string; readonly pageNumber: number },
): Promise<{ readonly rows: ListRow[]; readonly count: number }> {
  const matching = lists(ctx).where(
    sql<boolean>`(${searchParam} = '' or strpos(folded(name), folded(${searchParam})) > 0)`,
  );
  const [rows, { count }] = await Promise.all([
    matching
      .select(columns)
      .orderBy(sql`lower(name)`)
      .limit(pageSize.others)
      .offset((pageNumber - 1) * pageSize.others)
      .execute(),
    matching.select((of) => of.fn.countAll<number>().as("count")).executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

/** Lists that a picker is given at most. */
const lookupSize = 1_000;

export async function findAllLists(ctx: Ctx): Promise<ListRow[]> {
  return lists(ctx)
    .select(columns)
    .orderBy(sql`lower(name)`)
    .limit(lookupSize)
    .execute();
}

export async function findLists(ctx: Ctx, ids: readonly number[]): Promise<ListRow[]> {
  return lists(ctx).select(columns).where("id", "in", ids).execute();
}

/**
 * Locks a list: all that change its items do so one after the other (decision 0194). A campaign may refer to it meanwhile.
 */
export async function lockList(ctx: Ctx, id: number): Promise<ListRow | undefined> {
  return lists(ctx).select(columns).where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
}

/** Locks the campaigns of a list: those lock themselves before their list, so whoever deletes it does so too. */
export async function lockCampaignsOf(ctx: Ctx, id: number): Promise<void> {
  await sql`
    select from campaigns where company_id = ${ctx.companyId} and contact_list_id = ${id}
    order by id for no key update`.execute(ctx.db);
}

/** Locks a list that is to be deleted; a campaign that refers to it now waits until then. */
export async function lockListForDeletion(ctx: Ctx, id: number): Promise<boolean> {
  return (await lists(ctx).select("id").where("id", "=", id).forUpdate().executeTakeFirst()) !== undefined;
}

/** True if a campaign that is being sent, or will be, writes to the list. */
export async function isListInUse(ctx: Ctx, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from campaigns where company_id = ${ctx.companyId} and contact_list_id = ${id}
      and status in ('PROGRAMADA', 'EM_ANDAMENTO') limit 1`.execute(ctx.db);
  return rows.length > 0;
}

export async function insertList(ctx: Ctx, name: string): Promise<ListRow> {
  return ctx.db
    .insertInto("contact_lists")
    .values({ company_id: ctx.companyId, name, created_at: ctx.now(), updated_at: ctx.now() })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function saveList(
  ctx: Ctx,
  id: number,
  fields: Partial<Pick<ListRow, "name" | "check_state" | "duplicates_removed">>,
): Promise<ListRow> {
  return ctx.db
    .updateTable("contact_lists")
    .set({ ...fields, updated_at: ctx.now() })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Deletes a list with its items and imports. */
export async function deleteList(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.deleteFrom("contact_lists").where("company_id", "=", ctx.companyId).where("id", "=", id).execute();
}
