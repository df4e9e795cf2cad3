import type { ContactImport } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import type { ImportedContact, RefusedRow, SheetRow } from "./import-rows.ts";
import type {} from "./imports.tables.ts";

export interface ImportRow {
  readonly id: number;
  readonly user_id: number | null;
  readonly source: ContactImport["source"];
  readonly file_name: string | null;
  readonly storage_key: string | null;
  readonly is_book: boolean;
  readonly state: ContactImport["state"];
  readonly failure: ContactImport["failure"];
  readonly total: number;
  readonly done: number;
  readonly created: number;
  readonly known: number;
  readonly refused: number;
  readonly refused_rows: RefusedRow[];
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

const columns = [
  "id",
  "user_id",
  "source",
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
  "refused_rows",
  "created_at",
  "finished_at",
] as const;

/** Refused rows that a report lists; the column `refused` counts all. */
const maxRefusedListed = 500;

export async function insertImport(
  ctx: Ctx,
  row: Pick<ImportRow, "user_id" | "source" | "file_name" | "storage_key" | "is_book">,
): Promise<ImportRow> {
  return ctx.db
    .insertInto("contact_imports")
    .values({ ...row, company_id: ctx.companyId, created_at: ctx.now() })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Locks the row, so that the job and a cancellation do not overwrite each other. */
export async function lockImport(ctx: Ctx, id: number): Promise<ImportRow | undefined> {
  return ctx.db
    .selectFrom("contact_imports")
    .select(columns)
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function findLatestImport(ctx: Ctx, userId: number): Promise<ImportRow | undefined> {
  return ctx.db
    .selectFrom("contact_imports")
    .select(columns)
    .where("company_id", "=", ctx.companyId)
    .where("user_id", "=", userId)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

export type ImportChange = Partial<
  Pick<
    ImportRow,
    "state" | "failure" | "total" | "done" | "created" | "known" | "refused" | "finished_at" | "storage_key"
  >
>;

export async function saveImport(ctx: Ctx, id: number, change: ImportChange): Promise<ImportRow> {
  return ctx.db
    .updateTable("contact_imports")
    .set(change)
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function appendRefusedRows(ctx: Ctx, id: number, rows: readonly RefusedRow[]): Promise<void> {
  await sql`update contact_imports set refused_rows = refused_rows || ${JSON.stringify(rows)}::jsonb
    where company_id = ${ctx.companyId} and id = ${id} and jsonb_array_length(refused_rows) < ${maxRefusedListed}`.execute(
    ctx.db,
  );
}

// Keys of numbers are computed apart, because under row-level security a function that is not leakproof never reaches an index.

/**
 * Inserts the contacts whose number is new and returns how many. Existing contacts stay unchanged, and the number of one that was
 * merged into another is no new one.
 */
export async function insertNewContacts(
  ctx: Ctx,
  imported: readonly ImportedContact[],
  isNamed: boolean,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into contacts (company_id, name, number, email, extra_info, is_named, created_at, updated_at)
    select ${ctx.companyId}, name, number, email, extra_info, ${isNamed}, ${ctx.now()}, ${ctx.now()}
    from (select *, phone_key(number) as number_key
      from unnest(${imported.map(({ name }) => name)}::text[], ${imported.map(({ number }) => number)}::text[],
        ${imported.map(({ email }) => email)}::text[], ${imported.map(({ extraInfo }) => JSON.stringify(extraInfo))}::jsonb[])
        as given(name, number, email, extra_info) offset 0) imported
    where not exists (select from contact_aliases m
      where m.company_id = ${ctx.companyId} and m.number_key = imported.number_key)
    on conflict (company_id, number_key) do nothing`.execute(ctx.db);
  return Number(numAffectedRows ?? 0);
}

/** The numbers among these, as they are written here, that a contact has, or had before it was merged into another. */
export async function findExistingNumbers(ctx: Ctx, numbers: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ number: string }>`
    select given.number from (
      select number, phone_key(number) as number_key from unnest(${[...numbers]}::text[]) as g(number) offset 0) given
    where exists (select from contacts c where c.company_id = ${ctx.companyId} and c.number_key = given.number_key)
      or exists (select from contact_aliases m where m.company_id = ${ctx.companyId} and m.number_key = given.number_key)`.execute(
    ctx.db,
  );
  return new Set(rows.map(({ number }) => number));
}

const GROUP_TICKETS: Statement<{ id: number }> = {
  name: "contacts_group_tickets",
  text: `select id from tickets where company_id = $1 and is_group order by id`,
};

const GROUP_PARTICIPANTS: Statement<{ name: string; number: string }> = {
  name: "contacts_group_participants",
  text: `select distinct on (participant ->> 'phone') participant ->> 'phone' as number,
      coalesce(participant ->> 'name', '') as name
    from messages where company_id = $1 and ticket_id = $2 and not from_me and participant ->> 'phone' is not null
    order by participant ->> 'phone', id desc`,
};

/**
 * The people who wrote in groups of the company's lines. Who wrote in a chat of their own is a contact already.
 */
export async function findGroupParticipants(ctx: Ctx): Promise<SheetRow[]> {
  const participants = new Map<string, SheetRow>();
  for (const { id } of await ctx.raw(GROUP_TICKETS, [ctx.companyId])) {
    for (const { name, number } of await ctx.raw(GROUP_PARTICIPANTS, [ctx.companyId, id])) {
      const line = participants.size + 1;
      // Who never gave a name is called by the number until they do.
      participants.set(number, { line, name: truncateText(name, 50) || number, number, email: "", extraInfo: [] });
    }
  }
  return [...participants.values()];
}

/** The storage keys among these that an import still refers to. */
export async function findReferencedSheets(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom("contact_imports")
    .select("storage_key")
    .where("company_id", "=", ctx.companyId)
    .where("storage_key", "in", [...keys])
    .execute();
  return rows.flatMap(({ storage_key: key }) => key ?? []);
}
