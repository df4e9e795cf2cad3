import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type {} from "./queue-options.tables.ts";

export interface QueueOptionRow {
  readonly id: number;
  readonly queue_id: number;
  readonly parent_id: number | null;
  readonly title: string;
  readonly message: string;
  readonly option: string;
  readonly position: number;
  readonly media_path: string | null;
  readonly media_name: string | null;
  readonly media_type: string | null;
  readonly media_size: number | null;
  readonly file_list_id: number | null;
}
export type QueueOptionFields = Omit<QueueOptionRow, "id">;

const columns = [
  "id",
  "queue_id",
  "parent_id",
  "title",
  "message",
  "option",
  "position",
  "media_path",
  "media_name",
  "media_type",
  "media_size",
  "file_list_id",
] as const satisfies readonly (keyof QueueOptionRow)[];

function options(ctx: Ctx) {
  return ctx.db.selectFrom("queue_options").select(columns).where("company_id", "=", ctx.companyId);
}

/** Every option of the company, in the order of positions. */
export async function findOptions(ctx: Ctx): Promise<QueueOptionRow[]> {
  return options(ctx).orderBy("queue_id").orderBy("position").orderBy("id").execute();
}

/** The options of one queue, in the order of positions. */
export async function findOptionsOf(ctx: Ctx, queueId: number): Promise<QueueOptionRow[]> {
  return options(ctx).where("queue_id", "=", queueId).orderBy("position").orderBy("id").execute();
}

export async function findOption(ctx: Ctx, id: number): Promise<QueueOptionRow | undefined> {
  return options(ctx).where("id", "=", id).executeTakeFirst();
}

/** True if a message refers to this file: the bot sends an option's file without copying it. */
export async function isFileSent(ctx: Ctx, key: string): Promise<boolean> {
  const { rows } = await sql`select from media
    where company_id = ${ctx.companyId} and storage_key = ${key} and storage_key like '%/queue-options/%' limit 1`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

/** The storage keys among these that an option refers to. */
export async function findReferencedOptionFiles(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select media_path as key from queue_options
    where company_id = ${ctx.companyId} and media_path = any(${keys}::text[])`.execute(ctx.db);
  return rows.map(({ key }) => key);
}

/** Locks the queue's tree: two concurrent moves could form a cycle. */
export async function lockTree(ctx: Ctx, queueId: number): Promise<void> {
  await sql`select from queues where id = ${queueId} and company_id = ${ctx.companyId} for no key update`.execute(
    ctx.db,
  );
}

export async function insertOption(ctx: Ctx, fields: QueueOptionFields): Promise<number> {
  const { id } = await ctx.db
    .insertInto("queue_options")
    .values({ ...fields, company_id: ctx.companyId })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function saveOption(ctx: Ctx, id: number, fields: Partial<QueueOptionFields>): Promise<void> {
  await ctx.db
    .updateTable("queue_options")
    .set({ ...fields, company_id: ctx.companyId })
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .execute();
}

/** Saves the positions 0, 1, 2… and the answers of a level, in this order. */
export async function saveLevel(
  ctx: Ctx,
  level: readonly { readonly id: number; readonly option: string }[],
): Promise<void> {
  const ids = level.map(({ id }) => id);
  const answers = level.map(({ option }) => option);
  await sql`
    update queue_options o set position = wanted.ordinal - 1, option = wanted.option
    from unnest(${ids}::int[], ${answers}::text[]) with ordinality as wanted(id, option, ordinal)
    where o.id = wanted.id and o.company_id = ${ctx.companyId}`.execute(ctx.db);
}

/** Deletes the option with all options below (on delete cascade). */
export async function deleteOption(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.deleteFrom("queue_options").where("id", "=", id).where("company_id", "=", ctx.companyId).execute();
}
