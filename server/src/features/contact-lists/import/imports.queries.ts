import type { ContactListImport } from "@prosa/contract";
import { sql } from "kysely";
import type { RefusedRow } from "#server/features/contacts/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type {} from "../contact-lists.tables.ts";

export interface ImportRow {
  readonly id: number;
  readonly contact_list_id: number;
  readonly user_id: number | null;
  readonly file_name: string | null;
  readonly storage_key: string | null;
  readonly is_book: boolean;
  readonly state: ContactListImport["state"];
  readonly failure: ContactListImport["failure"];
  readonly total: number;
  readonly done: number;
  readonly created: number;
  readonly known: number;
  readonly refused: number;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

const columns = [
  "id",
  "contact_list_id",
  "user_id",
  "file_name",
  "storage_key",
  "is_book",
  "state",
  "failure",
  "total",
  "done",
  "created",
  "known",
  "refused",
  "created_at",
  "finished_at",
] as const satisfies readonly (keyof ImportRow)[];

function imports(ctx: Ctx) {
  return ctx.db.selectFrom("contact_list_imports").select(columns).where("company_id", "=", ctx.companyId);
}

export async function insertImport(
  ctx: Ctx,
  row: Pick<ImportRow, "contact_list_id" | "user_id" | "file_name" | "storage_key" | "is_book">,
): Promise<ImportRow> {
  return ctx.db
    .insertInto("contact_list_imports")
    .values({ ...row, company_id: ctx.companyId, created_at: ctx.now() })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Locks the row, so that the job and a cancellation do not overwrite each other. */
export async function lockImport(ctx: Ctx, id: number): Promise<ImportRow | undefined> {
  return imports(ctx).where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
}

export async function findLatestImport(ctx: Ctx, contactListId: number): Promise<ImportRow | undefined> {
  return imports(ctx).where("contact_list_id", "=", contactListId).orderBy("id", "desc").limit(1).executeTakeFirst();
}

export type ImportChange = Partial<
  Pick<
    ImportRow,
    "state" | "failure" | "total" | "done" | "created" | "known" | "refused" | "finished_at" | "storage_key"
  >
>;

export async function saveImport(ctx: Ctx, id: number, change: ImportChange): Promise<ImportRow> {
  return ctx.db
    .updateTable("contact_list_imports")
    .set(change)
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function insertRefusedRows(ctx: Ctx, importId: number, rows: readonly RefusedRow[]): Promise<void> {
  await sql`
    insert into contact_list_refused_rows (company_id, import_id, line, name, number, reason)
    select ${ctx.companyId}, ${importId}, r.line, r.name, r.number, r.reason
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(line int, name text, number text, reason text)`.execute(
    ctx.db,
  );
}

/** Refused rows behind a line, in the order of the file. */
export async function findRefusedRows(
  ctx: Ctx,
  importId: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<RefusedRow[]> {
  return ctx.db
    .selectFrom("contact_list_refused_rows")
    .select(["line", "name", "number", "reason"])
    .where("company_id", "=", ctx.companyId)
    .where("import_id", "=", importId)
    .where("line", ">", after)
    .orderBy("line")
    .limit(limit)
    .execute();
}

/** Of imports of a list that have not ended: their files are left behind when it is deleted. */
export async function findPendingSheets(ctx: Ctx, contactListId: number): Promise<string[]> {
  const rows = await imports(ctx)
    .where("contact_list_id", "=", contactListId)
    .where("storage_key", "is not", null)
    .execute();
  return rows.flatMap(({ storage_key: key }) => key ?? []);
}

/** The storage keys among these that an import still refers to. */
export async function findReferencedSheets(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const rows = await imports(ctx)
    .where("storage_key", "in", [...keys])
    .execute();
  return rows.flatMap(({ storage_key: key }) => key ?? []);
}
