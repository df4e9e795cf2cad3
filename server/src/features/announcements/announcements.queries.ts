import { pageSize } from "@prosa/contract";
import type { AnnouncementBody } from "@prosa/contract";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import type { AnnouncementsTable } from "./announcements.tables.ts";

export type AnnouncementRow = Selectable<AnnouncementsTable>;
export type AnnouncementImage = Pick<AnnouncementRow, "media_path" | "media_name" | "media_type">;
/** The changed fields; the others stay as they are. */
export type AnnouncementChanges = Partial<AnnouncementBody & AnnouncementImage>;

const columns = [
  "id",
  "title",
  "text",
  "priority",
  "status",
  "media_path",
  "media_name",
  "media_type",
  "created_at",
] as const;

export interface AnnouncementSearch {
  readonly searchParam: string;
  readonly pageNumber: number;
  readonly isActiveOnly: boolean;
}

export async function searchAnnouncements(
  ctx: Ctx,
  { searchParam, pageNumber, isActiveOnly }: AnnouncementSearch,
): Promise<{ rows: AnnouncementRow[]; count: number }> {
  const matching = ctx.db
    .selectFrom("announcements")
    .where(sql<boolean>`(${searchParam} = '' or strpos(folded(title || ' ' || text), folded(${searchParam})) > 0)`)
    .$if(isActiveOnly, (all) => all.where("status", "=", true));
  const [rows, { count }] = await Promise.all([
    matching
      .select(columns)
      .orderBy("id", "desc")
      .limit(pageSize.others)
      .offset((pageNumber - 1) * pageSize.others)
      .execute(),
    matching.select((of) => of.fn.countAll<number>().as("count")).executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

export async function findAnnouncements(ctx: Ctx, ids: readonly number[]): Promise<AnnouncementRow[]> {
  return ctx.db.selectFrom("announcements").select(columns).where("id", "in", ids).execute();
}

export async function insertAnnouncement(
  tx: SystemTx,
  fields: AnnouncementBody & AnnouncementImage,
): Promise<AnnouncementRow> {
  return tx.db.insertInto("announcements").values(fields).returning(columns).executeTakeFirstOrThrow();
}

export async function lockAnnouncement(tx: SystemTx, id: number): Promise<AnnouncementRow | undefined> {
  return tx.db.selectFrom("announcements").select(columns).where("id", "=", id).forUpdate().executeTakeFirst();
}

export async function saveAnnouncement(
  tx: SystemTx,
  id: number,
  fields: AnnouncementChanges,
): Promise<AnnouncementRow> {
  return tx.db
    .updateTable("announcements")
    .set(fields)
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function deleteAnnouncement(tx: SystemTx, id: number): Promise<void> {
  await tx.db.deleteFrom("announcements").where("id", "=", id).execute();
}

/** All companies that are not deleted. */
export async function findCompanyIds(tx: SystemTx): Promise<number[]> {
  const rows = await tx.db.selectFrom("companies").select("id").where("deleted_at", "is", null).execute();
  return rows.map(({ id }) => id);
}

/** The storage keys among these that belong to an announcement. */
export async function findAnnouncementFiles(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom("announcements")
    .select("media_path")
    .where("media_path", "in", [...keys])
    .execute();
  return rows.flatMap(({ media_path: key }) => key ?? []);
}
