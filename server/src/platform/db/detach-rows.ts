import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Ctx } from "../ctx.ts";
import { APP_ROLE } from "./migration-helpers.ts";
import type { Db } from "./open-database.ts";

/** A row that is going to be deleted. */
export interface DetachedRow {
  readonly table: string;
  readonly id: number;
}

export interface DetachOptions extends DetachedRow {
  /** The referring tables. Default: all. */
  readonly from?: readonly string[] | undefined;
  readonly signal: AbortSignal;
  /** A transaction of the company, run again where it meets a deadlock. */
  inCompany<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Rows of one transaction. Default 500. */
  readonly batch?: number;
  /** Rows that one search finds, for several batches. Default 50,000. */
  readonly found?: number;
}

/** A column that refers to the table. */
interface Reference {
  readonly name: string;
  readonly column: string;
  /** Its rows stay without what they refer to. */
  readonly isKept: boolean;
}

/**
 * Does what the foreign keys to a row do when it is deleted, in small transactions: by one statement a long history would reach
 * its time limit, and delay the event tail of every company. Tables that only the system role writes are left to the deletion.
 */
export async function detachRows(db: Db, options: DetachOptions): Promise<void> {
  const { table, id, from, signal, inCompany, batch = 500, found = 50_000 } = options;
  for (const reference of await findReferences(db.system, table, from)) {
    let rows: readonly string[];
    do {
      // Not once for each batch: a search passes over all that the batches before it have detached, at the latest until the
      // table is vacuumed, and over the company's other rows where no index has the column.
      rows = await inCompany((ctx) => findRows(ctx, reference, id, found));
      for (let at = 0; at < rows.length; at += batch) {
        signal.throwIfAborted();
        await inCompany((ctx) => detach(ctx, reference, id, rows.slice(at, at + batch)));
      }
    } while (rows.length === found);
  }
}

/** The same in the caller's transaction, for tables of which few rows refer to one. */
export async function detachAtOnce(ctx: Ctx, { table, id }: DetachedRow, from: readonly string[]): Promise<void> {
  for (const reference of await findReferences(ctx.db, table, from)) {
    await detach(ctx, reference, id);
  }
}

async function findRows(ctx: Ctx, { name, column }: Reference, id: number, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ place: string }>`select ctid::text as place from ${sql.table(name)}
    where company_id = ${ctx.companyId} and ${sql.ref(column)} = ${id} limit ${limit}`.execute(ctx.db);
  return rows.map(({ place }) => place);
}

/** `places`: of the rows. One that was moved since keeps its reference, and another in its place is not taken for it. */
async function detach(
  ctx: Ctx,
  { name, column, isKept }: Reference,
  id: number,
  places?: readonly string[],
): Promise<void> {
  const change = isKept
    ? sql`update ${sql.table(name)} set ${sql.ref(column)} = null`
    : sql`delete from ${sql.table(name)}`;
  const isThere = places ? sql`ctid = any (${[...places]}::tid[])` : sql`true`;
  await sql`${change} where ${isThere} and company_id = ${ctx.companyId} and ${sql.ref(column)} = ${id}`.execute(
    ctx.db,
  );
}

async function findReferences<T>(
  db: Kysely<T>,
  table: string,
  from: readonly string[] | undefined,
): Promise<readonly Reference[]> {
  const { rows } = await sql<Reference>`
    select f.conrelid::regclass::text as name, a.attname::text as column, f.confdeltype = 'n' as "isKept"
    from pg_constraint f
    join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.conkey) and a.attname <> 'company_id'
    where f.contype = 'f' and f.confrelid = ${table}::regclass and f.confdeltype in ('n', 'c')
      and has_column_privilege(${APP_ROLE}, f.conrelid, a.attname, 'update')
      and (f.confdeltype = 'n' or has_table_privilege(${APP_ROLE}, f.conrelid, 'delete'))
    order by 1, 2`.execute(db);
  return from ? rows.filter(({ name }) => from.includes(name)) : rows;
}
