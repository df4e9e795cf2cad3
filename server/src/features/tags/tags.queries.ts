import { pageSize } from "@prosa/contract";
import type { TagRecord } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import { keptCountSql } from "#server/platform/db/index.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type {} from "./tags.tables.ts";

const ticketsCount = keptCountSql("tag", "tags.id");

function ofCompany(ctx: Ctx) {
  return ctx.db.selectFrom("tags").where("company_id", "=", ctx.companyId);
}

/** Without the ticket counts, which only the list of tags shows. */
export async function findTags(ctx: Ctx) {
  return ofCompany(ctx)
    .select(["id", "name", "color", "kanban"])
    .orderBy(sql`folded(name)`)
    .execute();
}

/** The tags that are lanes, in the order of the board. */
export async function findLanes(ctx: Ctx) {
  return ofCompany(ctx)
    .select(["id", "name", "color", "kanban"])
    .where("kanban", "=", 1)
    .orderBy(sql`lane_position nulls last, folded(name), id`)
    .execute();
}

/** Locks the lanes until the transaction ends: orders of the board are saved one after another. */
export async function lockLanes(ctx: Ctx): Promise<void> {
  await ofCompany(ctx).select("id").where("kanban", "=", 1).orderBy("id").forNoKeyUpdate().execute();
}

/** Saves the positions of the lanes, 1 to n, and returns the ids of those that moved. */
export async function saveLaneOrder(ctx: Ctx, tagIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update tags set lane_position = lane.position
    from unnest(${tagIds}::int[]) with ordinality lane(id, position)
    where tags.company_id = ${ctx.companyId} and tags.id = lane.id and tags.lane_position is distinct from lane.position
    returning tags.id`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

export async function findTag(ctx: Ctx, id: number): Promise<TagRecord | undefined> {
  return ofCompany(ctx)
    .select([
      "id",
      "name",
      "color",
      "kanban",
      "user_id as userId",
      sql<number>`${sql.raw(ticketsCount)}`.as("ticketsCount"),
    ])
    .where("id", "=", id)
    .executeTakeFirst();
}

const PAGE: Statement<{ tags: TagRecord[]; count: number }> = {
  name: "tags_page",
  text: `
    with matching as materialized (
      select *, folded(name) as place from tags
      where company_id = $1 and ($2 = '' or strpos(folded(name), folded($2)) > 0)),
    page as (select * from matching order by place limit ${pageSize.others} offset $3::int)
    select (select count(*)::int from matching) as count, coalesce((
      select json_agg(json_build_object('id', id, 'name', name, 'color', color, 'kanban', kanban, 'userId', user_id,
        'ticketsCount', ${ticketsCount}) order by place) from page tags), '[]') as tags`,
};

/** A page of the tags whose name contains the text, accents and case ignored, by name; and how many there are in all. */
export async function searchTags(
  ctx: Ctx,
  { searchParam, pageNumber }: { readonly searchParam: string; readonly pageNumber: number },
): Promise<{ tags: TagRecord[]; count: number }> {
  const [page] = await ctx.raw(PAGE, [ctx.companyId, searchParam, (pageNumber - 1) * pageSize.others]);
  return page ?? { tags: [], count: 0 };
}

export interface TagFields {
  readonly name: string;
  readonly color: string;
  readonly kanban: number;
  readonly user_id: number | null;
}

export async function insertTag(ctx: Ctx, fields: TagFields): Promise<number> {
  const { id } = await ctx.db
    .insertInto("tags")
    .values({ ...fields, company_id: ctx.companyId })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Locks a tag until the transaction ends: what its change is compared with stays as it is. Undefined if there is none. */
export async function lockTag(ctx: Ctx, id: number): Promise<Pick<TagFields, "kanban"> | undefined> {
  return ofCompany(ctx).select("kanban").where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
}

/** Saves what is given; an absent field stays. */
export async function saveTag(
  ctx: Ctx,
  id: number,
  fields: { readonly [K in keyof TagFields]?: TagFields[K] | undefined },
): Promise<void> {
  await ctx.db
    .updateTable("tags")
    .set({ ...fields, company_id: ctx.companyId })
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .execute();
}

export async function deleteTag(ctx: Ctx, id: number): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom("tags")
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
