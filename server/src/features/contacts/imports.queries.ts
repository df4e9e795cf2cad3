import type { ContactImport } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { beginningOf } from "#server/platform/text.ts";
import type { NewPerson, RefusedRow, WrittenRow } from "./import-rows.ts";
import type {} from "./imports.tables.ts";

export interface ImportRow {
  readonly id: number;
  readonly user_id: number;
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

/** A report names this many; the count says how many there were. */
const refusedShown = 500;

export async function insertImport(
  ctx: Ctx,
  wish: Pick<ImportRow, "user_id" | "source" | "file_name" | "storage_key" | "is_book">,
): Promise<ImportRow> {
  return ctx.db
    .insertInto("contact_imports")
    .values({ ...wish, company_id: ctx.companyId, created_at: ctx.now() })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Locked: its job and a person who cancels it do not overtake each other. */
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

export async function noteRefused(ctx: Ctx, id: number, rows: readonly RefusedRow[]): Promise<void> {
  await sql`update contact_imports set refused_rows = refused_rows || ${JSON.stringify(rows)}::jsonb
    where company_id = ${ctx.companyId} and id = ${id} and jsonb_array_length(refused_rows) < ${refusedShown}`.execute(
    ctx.db,
  );
}

/** Adds those whose number is not there yet; returns how many. Others stay as they are. */
export async function insertPeople(ctx: Ctx, people: readonly NewPerson[], isNamed: boolean): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into contacts (company_id, name, number, email, is_named, created_at, updated_at)
    select ${ctx.companyId}, name, number, email, ${isNamed}, ${ctx.now()}, ${ctx.now()}
    from unnest(${people.map(({ name }) => name)}::text[], ${people.map(({ number }) => number)}::text[],
      ${people.map(({ email }) => email)}::text[]) as person(name, number, email)
    on conflict (company_id, number_key) do nothing`.execute(ctx.db);
  return Number(numAffectedRows ?? 0);
}

const GROUP_TICKETS: Statement<{ id: number }> = {
  name: "contacts_group_tickets",
  text: `select id from tickets where company_id = $1 and is_group order by id`,
};

const PEOPLE_OF_GROUP: Statement<{ name: string; number: string }> = {
  name: "contacts_people_of_group",
  text: `select distinct on (participant ->> 'phone') participant ->> 'phone' as number,
      coalesce(participant ->> 'name', '') as name
    from messages where company_id = $1 and ticket_id = $2 and not from_me and participant ->> 'phone' is not null
    order by participant ->> 'phone', id desc`,
};

/**
 * The people that WhatsApp has told the company's lines about: who wrote in a chat is a contact already, so these are
 * the ones who wrote in groups.
 */
export async function findPeopleOfGroups(ctx: Ctx): Promise<WrittenRow[]> {
  const people = new Map<string, WrittenRow>();
  for (const { id } of await ctx.raw(GROUP_TICKETS, [ctx.companyId])) {
    for (const { name, number } of await ctx.raw(PEOPLE_OF_GROUP, [ctx.companyId, id])) {
      people.set(number, { line: people.size + 1, name: beginningOf(name, 50), number, email: "" });
    }
  }
  return [...people.values()];
}

/** Which of these files are still to be read. */
export async function filesOfImports(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom("contact_imports")
    .select("storage_key")
    .where("company_id", "=", ctx.companyId)
    .where("storage_key", "in", [...keys])
    .execute();
  return rows.flatMap(({ storage_key: key }) => key ?? []);
}
