import { pageSize } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type {} from "./quick-messages.tables.ts";

export interface QuickMessageRow {
  readonly id: number;
  readonly shortcode: string;
  readonly message: string;
  readonly geral: boolean;
  readonly status: boolean;
  readonly media_path: string | null;
  readonly media_name: string | null;
  readonly media_type: string | null;
  readonly user_id: number | null;
}

const columns = [
  "id",
  "shortcode",
  "message",
  "geral",
  "status",
  "media_path",
  "media_name",
  "media_type",
  "user_id",
] as const satisfies readonly (keyof QuickMessageRow)[];

/** The browser holds all suggestions, because it filters them while the user types; this many at most. */
const lookupSize = 1_000;

/** General ones and the user's own. Admins may change all, but list and send only these. */
function usableBy(ctx: Ctx, userId: number | null) {
  return ctx.db
    .selectFrom("quick_messages")
    .where("company_id", "=", ctx.companyId)
    .where((where) => where.or([where("geral", "=", true), where("user_id", "=", userId)]));
}

export async function findSendable(ctx: Ctx, userId: number | null): Promise<QuickMessageRow[]> {
  return usableBy(ctx, userId)
    .select(columns)
    .where("status", "=", true)
    .orderBy(sql`lower(shortcode)`)
    .orderBy("id")
    .limit(lookupSize)
    .execute();
}

export async function searchQuickMessages(
  ctx: Ctx,
  userId: number | null,
  { searchParam, pageNumber }: { readonly searchParam: string; readonly pageNumber: number },
): Promise<{ readonly rows: QuickMessageRow[]; readonly count: number }> {
  const matching = usableBy(ctx, userId).where(
    sql<boolean>`(${searchParam} = '' or strpos(folded(shortcode || ' ' || message), folded(${searchParam})) > 0)`,
  );
  const [rows, { count }] = await Promise.all([
    matching
      .select(columns)
      .orderBy(sql`lower(shortcode)`)
      .orderBy("id")
      .limit(pageSize.others)
      .offset((pageNumber - 1) * pageSize.others)
      .execute(),
    matching.select((of) => of.fn.countAll<number>().as("count")).executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

export async function findQuickMessages(ctx: Ctx, ids: readonly number[]): Promise<QuickMessageRow[]> {
  return ctx.db
    .selectFrom("quick_messages")
    .select(columns)
    .where("company_id", "=", ctx.companyId)
    .where("id", "in", ids)
    .execute();
}

export async function findQuickMessage(ctx: Ctx, id: number): Promise<QuickMessageRow | undefined> {
  return ctx.db
    .selectFrom("quick_messages")
    .select(columns)
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .executeTakeFirst();
}

export type QuickMessageFields = Omit<QuickMessageRow, "id">;

export async function insertQuickMessage(ctx: Ctx, fields: QuickMessageFields): Promise<QuickMessageRow> {
  return ctx.db
    .insertInto("quick_messages")
    .values({ ...fields, company_id: ctx.companyId })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function saveQuickMessage(
  ctx: Ctx,
  id: number,
  fields: Partial<QuickMessageFields>,
): Promise<QuickMessageRow> {
  return ctx.db
    .updateTable("quick_messages")
    .set({ ...fields, company_id: ctx.companyId })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function deleteQuickMessage(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.deleteFrom("quick_messages").where("company_id", "=", ctx.companyId).where("id", "=", id).execute();
}

/** Locks those of an author until the transaction ends, so that none becomes general or personal meanwhile. */
export async function lockQuickMessagesOf(ctx: Ctx, userId: number): Promise<Pick<QuickMessageRow, "id" | "geral">[]> {
  return ctx.db
    .selectFrom("quick_messages")
    .select(["id", "geral"])
    .where("company_id", "=", ctx.companyId)
    .where("user_id", "=", userId)
    .orderBy("id")
    .forUpdate()
    .execute();
}

export async function deleteQuickMessages(ctx: Ctx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) {
    await ctx.db.deleteFrom("quick_messages").where("company_id", "=", ctx.companyId).where("id", "in", ids).execute();
  }
}

/** The storage keys among these that belong to a quick message. */
export async function findQuickMessageFiles(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom("quick_messages")
    .select("media_path")
    .where("company_id", "=", ctx.companyId)
    .where("media_path", "in", [...keys])
    .execute();
  return rows.flatMap(({ media_path: key }) => key ?? []);
}
