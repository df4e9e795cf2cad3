import { pageSize } from "@prosa/contract";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import { keptCountSql } from "#server/platform/db/index.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type {} from "./contacts.tables.ts";

export interface ContactRow {
  readonly id: number;
  readonly name: string;
  readonly number: string | null;
  readonly email: string;
  readonly is_group: boolean;
  readonly is_blocked: boolean;
  readonly picture_path: string | null;
  readonly extra_info: { name: string; value: string }[];
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = [
  "contacts.id",
  "name",
  "number",
  "email",
  "is_group",
  "is_blocked",
  "picture_path",
  "extra_info",
  "created_at",
  "updated_at",
] as const;

/** Rows that a picker shows. */
const lookupSize = 50;
/** The most rows that a search returns, so that a text of one letter stays cheap. */
const maxFound = 2_000;

export async function findContact(ctx: Ctx, id: number): Promise<ContactRow | undefined> {
  return selectContact(ctx, id).executeTakeFirst();
}

/** The same, locked until the transaction ends. */
export async function lockContact(ctx: Ctx, id: number): Promise<ContactRow | undefined> {
  return selectContact(ctx, id).forUpdate().executeTakeFirst();
}

function selectContact(ctx: Ctx, id: number) {
  return ctx.db
    .selectFrom("contacts")
    .select(columns)
    .where("company_id", "=", ctx.companyId)
    .where("contacts.id", "=", id);
}

/** The connection of the contact's conversation that was written in last; one that is deleted no query finds. */
export async function findLastConnection(ctx: Ctx, contactId: number): Promise<LastConnection | undefined> {
  const [connection] = await ctx.raw(LAST_CONNECTION, [ctx.companyId, contactId]);
  return connection;
}

interface LastConnection {
  readonly id: number;
  readonly name: string;
}

const LAST_CONNECTION: Statement<LastConnection> = {
  name: "contacts_last_connection",
  text: `
    select k.id, k.name
    from tickets t join connections k on k.id = t.connection_id and k.company_id = t.company_id
    where t.company_id = $1 and t.contact_id = $2
    order by t.last_message_at desc, t.id desc limit 1`,
};

export async function findContacts(ctx: Ctx, ids: readonly number[]): Promise<ContactRow[]> {
  return ctx.db
    .selectFrom("contacts")
    .select(columns)
    .where("company_id", "=", ctx.companyId)
    .where(sql<boolean>`contacts.id = any (${[...ids]}::int[])`)
    .execute();
}

/** Days as yyyy-MM-dd; an empty one sets no bound. */
interface CreatedFilter {
  readonly date?: string;
  readonly dateStart?: string;
  readonly dateEnd?: string;
}

interface ContactPage extends CreatedFilter {
  readonly searchParam: string;
  readonly pageNumber: number;
  readonly size?: typeof pageSize.contacts | typeof lookupSize;
}

/** A page by name. `count` is exact without a text to search for; see search_contacts() for how far it counts with one. */
export async function findContactPage(
  ctx: Ctx,
  { searchParam, pageNumber, size = pageSize.contacts, ...created }: ContactPage,
): Promise<{ rows: ContactRow[]; count: number }> {
  const offset = (pageNumber - 1) * size;
  const filters = createdWithin(ctx, created);
  if (filters.length > 0) {
    return findFiltered(ctx, filters, { searchParam, offset, size });
  }
  const rows =
    searchParam === ""
      ? await ctx.raw(size === lookupSize ? PICKER : PAGE, [ctx.companyId, offset])
      : await ctx.raw(SEARCH, [termOf(searchParam), size, offset]);
  return { rows: rows.filter((row): row is Counted<ContactRow> => row.id !== null), count: rows[0]?.count ?? 0 };
}

type Counted<Row> = Row & { readonly count: number };

const shown =
  "c.id, c.name, c.number, c.email, c.is_group, c.is_blocked, c.picture_path, c.extra_info, c.created_at, c.updated_at";

/** A page behind the last one is a row with the count alone. */
type PageRow = Counted<ContactRow> | Counted<{ readonly id: null }>;

/** An array has the planner fetch the rows of the page one by one, by their ids. */
const pageStatement = (size: number): Statement<PageRow> => ({
  name: `contacts_page_${size}`,
  text: `
    select k.count, ${shown}
    from (select ${keptCountSql("contacts", "0")} as count) k
      left join (unnest(array(
        select id from contacts where company_id = $1 order by search_text, id limit ${size} offset $2::int
      )) with ordinality found (id, n) join contacts c using (id)) on true
    order by found.n`,
});
const PAGE = pageStatement(pageSize.contacts);
const PICKER = pageStatement(lookupSize);

const SEARCH: Statement<PageRow> = {
  name: "contacts_search_page",
  text: `
    select f.matches as count, ${shown}
    from search_contacts($1, $3::int, $2::int) f
      left join (unnest(f.ids) with ordinality found (id, n) join contacts c using (id)) on true
    order by found.n`,
};

/** Contacts of some days: first the ids of the page, then their rows. */
async function findFiltered(
  ctx: Ctx,
  filters: readonly RawBuilder<boolean>[],
  { searchParam, offset, size }: { readonly searchParam: string; readonly offset: number; readonly size: number },
): Promise<{ rows: ContactRow[]; count: number }> {
  const matching = ctx.db
    .selectFrom("contacts")
    .where("company_id", "=", ctx.companyId)
    .$if(searchParam !== "", (query) => query.where(matchesSearch(searchParam)))
    .where((of) => of.and(filters));
  const [rows, { count }] = await Promise.all([
    ctx.db
      .with("page", () =>
        matching.select("contacts.id").orderBy("search_text").orderBy("contacts.id").limit(size).offset(offset),
      )
      .selectFrom("contacts")
      .innerJoin("page", "page.id", "contacts.id")
      .select(columns)
      .orderBy("search_text")
      .orderBy("contacts.id")
      .execute(),
    matching.select((of) => of.fn.countAll<number>().as("count")).executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

export async function searchContacts(ctx: Ctx, text: string): Promise<ContactRow[]> {
  return (await findContactPage(ctx, { searchParam: text, pageNumber: 1, size: lookupSize })).rows;
}

/** Whole days in the company's time zone, as half-open ranges. */
function createdWithin(ctx: Ctx, { date = "", dateStart = "", dateEnd = "" }: CreatedFilter) {
  const midnight = (day: string, after: number) =>
    sql<Date>`((${day}::date + ${after}::int)::timestamp at time zone (select time_zone from companies where id = ${ctx.companyId}))`;
  const since = [date, dateStart].filter((day) => day !== "");
  const until = [date, dateEnd].filter((day) => day !== "");
  return [
    ...since.map((day) => sql<boolean>`created_at >= ${midnight(day, 0)}`),
    ...until.map((day) => sql<boolean>`created_at < ${midnight(day, 1)}`),
  ];
}

function matchesSearch(text: string) {
  return sql<boolean>`contacts.id in (select id from found_contacts(${termOf(text)}, ${maxFound}))`;
}

/** People search a number as they see it: with spaces, brackets and dashes. */
function termOf(text: string): string {
  const digits = text.replaceAll(/[\s().+-]/g, "");
  return /^\d{3,}$/.test(digits) ? digits : text;
}

export interface ContactFields {
  readonly name: string;
  readonly number: string;
  readonly email: string;
  readonly extra_info: string;
}

export async function insertContact(ctx: Ctx, fields: ContactFields): Promise<ContactRow> {
  return ctx.db
    .insertInto("contacts")
    .values({ ...fields, is_named: true, company_id: ctx.companyId, created_at: ctx.now(), updated_at: ctx.now() })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** A name that a user wrote (`is_named`) is not replaced by push names later. */
export async function saveContact(
  ctx: Ctx,
  id: number,
  fields: Partial<ContactFields>,
): Promise<ContactRow | undefined> {
  return ctx.db
    .updateTable("contacts")
    .set((of) => ({
      ...fields,
      ...(fields.name !== undefined && { is_named: true }),
      version: of("version", "+", 1),
      updated_at: ctx.now(),
    }))
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .returning(columns)
    .executeTakeFirst();
}

export async function saveBlocked(ctx: Ctx, id: number, isBlocked: boolean): Promise<ContactRow | undefined> {
  return ctx.db
    .updateTable("contacts")
    .set((of) => ({ is_blocked: isBlocked, version: of("version", "+", 1), updated_at: ctx.now() }))
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .returning(columns)
    .executeTakeFirst();
}

export async function deleteContact(
  ctx: Ctx,
  id: number,
): Promise<{ readonly name: string; readonly number: string | null } | undefined> {
  return ctx.db
    .deleteFrom("contacts")
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .returning(["name", "number"])
    .executeTakeFirst();
}

/** The connection that checks numbers: the default one if it is connected, else any connected one. */
export async function findCheckingConnection(ctx: Ctx): Promise<number | undefined> {
  const row = await ctx.db
    .selectFrom("connections")
    .select("id")
    .where("company_id", "=", ctx.companyId)
    .where("status", "=", "CONNECTED")
    .orderBy("is_default", "desc")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** After a change of the number: the old addresses, those of merged contacts included, belong to another person. */
export async function deleteAddresses(ctx: Ctx, contactId: number): Promise<void> {
  for (const table of ["contact_identifiers", "contact_aliases"] as const) {
    await ctx.db
      .deleteFrom(table)
      .where("company_id", "=", ctx.companyId)
      .where("contact_id", "=", contactId)
      .execute();
  }
}

/** The contact into which the one with this number was merged; undefined where none was. */
export async function findAliasOwner(ctx: Ctx, number: string): Promise<number | undefined> {
  const row = await ctx.db
    .selectFrom("contact_aliases")
    .select("contact_id")
    .where("company_id", "=", ctx.companyId)
    .where("number_key", "=", sql<string>`(select phone_key(${number}))`)
    .executeTakeFirst();
  return row?.contact_id;
}
