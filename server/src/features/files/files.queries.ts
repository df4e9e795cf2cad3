import { fileListRules, pageSize } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type {} from "./files.tables.ts";

export interface FileOptionRow {
  readonly id: number;
  readonly file_list_id: number;
  readonly client_id: string | null;
  readonly position: number;
  readonly name: string;
  readonly media_path: string | null;
  readonly media_name: string | null;
  readonly media_type: string | null;
  readonly media_size: number | null;
}
export type OptionFile = Pick<FileOptionRow, "media_path" | "media_name" | "media_type" | "media_size">;

export interface FileListRow {
  readonly id: number;
  readonly name: string;
  readonly message: string;
  readonly user_id: number | null;
  readonly created_at: Date;
  /** In order of position. */
  readonly options: readonly FileOptionRow[];
}
type ListColumns = Omit<FileListRow, "options">;

const listColumns = [
  "id",
  "name",
  "message",
  "user_id",
  "created_at",
] as const satisfies readonly (keyof ListColumns)[];
const optionColumns = [
  "id",
  "file_list_id",
  "client_id",
  "position",
  "name",
  "media_path",
  "media_name",
  "media_type",
  "media_size",
] as const satisfies readonly (keyof FileOptionRow)[];

/** A page of the lists whose name contains the text, by name; without `pageNumber` as many as a picker takes. */
export async function searchFileLists(
  ctx: Ctx,
  { searchParam, pageNumber }: { readonly searchParam: string; readonly pageNumber: number | undefined },
): Promise<{ readonly rows: FileListRow[]; readonly count: number }> {
  const matching = ctx.db
    .selectFrom("file_lists")
    .where("company_id", "=", ctx.companyId)
    .where(sql<boolean>`(${searchParam} = '' or strpos(folded(name), folded(${searchParam})) > 0)`);
  const [rows, { count }] = await Promise.all([
    matching
      .select(listColumns)
      .orderBy(sql`lower(name)`)
      .orderBy("id")
      .limit(pageNumber === undefined ? fileListRules.lookupSize : pageSize.others)
      .offset(((pageNumber ?? 1) - 1) * pageSize.others)
      .execute(),
    matching.select((of) => of.fn.countAll<number>().as("count")).executeTakeFirstOrThrow(),
  ]);
  return { rows: await withOptions(ctx, rows), count };
}

export async function findFileLists(ctx: Ctx, ids: readonly number[]): Promise<FileListRow[]> {
  const rows = await ctx.db
    .selectFrom("file_lists")
    .select(listColumns)
    .where("company_id", "=", ctx.companyId)
    .where("id", "in", ids)
    .execute();
  return withOptions(ctx, rows);
}

async function withOptions(ctx: Ctx, lists: readonly ListColumns[]): Promise<FileListRow[]> {
  if (lists.length === 0) {
    return [];
  }
  const ids = lists.map(({ id }) => id);
  const options: FileOptionRow[] = await ctx.db
    .selectFrom("file_list_options")
    .select(optionColumns)
    .where("company_id", "=", ctx.companyId)
    .where("file_list_id", "in", ids)
    .orderBy("position")
    .orderBy("id")
    .execute();
  const byList = Map.groupBy(options, ({ file_list_id: id }) => id);
  return lists.map((list) => ({ ...list, options: byList.get(list.id) ?? [] }));
}

/** Locks a list against changes of its options by others. False: there is none. */
export async function lockFileList(ctx: Ctx, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from file_lists where company_id = ${ctx.companyId} and id = ${id} for no key update`.execute(ctx.db);
  return rows.length > 0;
}

/** Locks the campaigns of a list: those lock themselves before their list, so whoever deletes it does so too. */
export async function lockCampaignsOf(ctx: Ctx, id: number): Promise<void> {
  await sql`
    select from campaigns where company_id = ${ctx.companyId} and file_list_id = ${id}
    order by id for no key update`.execute(ctx.db);
}

/** Locks a list that is to be deleted; a campaign that refers to it now waits until then. False: there is none. */
export async function lockFileListForDeletion(ctx: Ctx, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from file_lists where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.db);
  return rows.length > 0;
}

/** True if a campaign that is being sent, or will be, sends the list. */
export async function isFileListInUse(ctx: Ctx, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from campaigns where company_id = ${ctx.companyId} and file_list_id = ${id}
      and status in ('PROGRAMADA', 'EM_ANDAMENTO') limit 1`.execute(ctx.db);
  return rows.length > 0;
}

/** Locks a list against deletion until the transaction ends. False: there is none. */
export async function keepFileList(ctx: Ctx, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from file_lists where company_id = ${ctx.companyId} and id = ${id} for key share`.execute(ctx.db);
  return rows.length > 0;
}

export async function insertFileList(
  ctx: Ctx,
  fields: Pick<FileListRow, "name" | "message" | "user_id">,
): Promise<number> {
  const { id } = await ctx.db
    .insertInto("file_lists")
    .values({ ...fields, company_id: ctx.companyId })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function saveFileList(
  ctx: Ctx,
  id: number,
  fields: Partial<Pick<FileListRow, "name" | "message">>,
): Promise<void> {
  await ctx.db
    .updateTable("file_lists")
    .set({ ...fields, company_id: ctx.companyId })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
}

export async function deleteFileList(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.deleteFrom("file_lists").where("company_id", "=", ctx.companyId).where("id", "=", id).execute();
}

export interface WantedOption {
  /** Null: a new one. */
  readonly id: number | null;
  /** Kept of a new one. */
  readonly clientId: string | null;
  readonly name: string;
  readonly takesFileOff: boolean;
}

/** Makes these the options of a list, in this order: changes those with an id, adds the others, deletes the rest. */
export async function saveOptions(ctx: Ctx, fileListId: number, wanted: readonly WantedOption[]): Promise<void> {
  const kept = wanted.flatMap(({ id }) => id ?? []);
  await sql`
    delete from file_list_options
    where company_id = ${ctx.companyId} and file_list_id = ${fileListId} and id <> all(${kept}::int[])`.execute(ctx.db);
  const rows = JSON.stringify(wanted.map((option, position) => ({ ...option, position })));
  await sql`
    with wanted as (
      select * from jsonb_to_recordset(${rows}::jsonb)
        as w(id int, "clientId" text, name text, position int, "takesFileOff" boolean)
    ), changed as (
      update file_list_options o set name = w.name, position = w.position,
        media_path = case when w."takesFileOff" then null else o.media_path end,
        media_name = case when w."takesFileOff" then null else o.media_name end,
        media_type = case when w."takesFileOff" then null else o.media_type end,
        media_size = case when w."takesFileOff" then null else o.media_size end
      from wanted w
      where o.company_id = ${ctx.companyId} and o.file_list_id = ${fileListId} and o.id = w.id
    )
    insert into file_list_options (company_id, file_list_id, client_id, position, name)
    select ${ctx.companyId}, ${fileListId}, "clientId", position, name
    from wanted where id is null order by position`.execute(ctx.db);
}

/** Sets the files of options. */
export async function saveOptionFiles(
  ctx: Ctx,
  fileListId: number,
  files: readonly (OptionFile & { readonly id: number })[],
): Promise<void> {
  await sql`
    update file_list_options o
    set media_path = f.media_path, media_name = f.media_name, media_type = f.media_type, media_size = f.media_size
    from jsonb_to_recordset(${JSON.stringify(files)}::jsonb)
      as f(id int, media_path text, media_name text, media_type text, media_size int)
    where o.company_id = ${ctx.companyId} and o.file_list_id = ${fileListId} and o.id = f.id`.execute(ctx.db);
}

/** The storage keys among these that an option refers to. */
export async function findReferencedFiles(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom("file_list_options")
    .select("media_path")
    .where("company_id", "=", ctx.companyId)
    .where("media_path", "in", [...keys])
    .execute();
  return rows.flatMap(({ media_path: key }) => key ?? []);
}

/** Those of these files that a message refers to: a sent file is not copied. */
export async function findSentFiles(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select distinct storage_key as key from media
    where company_id = ${ctx.companyId} and storage_key = any(${keys}::text[])`.execute(ctx.db);
  return rows.map(({ key }) => key);
}
