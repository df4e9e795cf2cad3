import { sql } from "kysely";
import type { Ctx } from "../ctx.ts";
import { APP_ROLE } from "./migration-helpers.ts";
import type { Db } from "./open-database.ts";

export interface DetachOptions {
  readonly table: string;
  readonly id: number;
  /** The referring table that is done before the others. */
  readonly first: string;
  readonly signal: AbortSignal;
  /** A transaction of the company, run again where it meets a deadlock. */
  inCompany<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Rows of one transaction. Default 500. */
  readonly batch?: number;
}

/**
 * Does what the foreign keys to a row do when it is deleted, in small transactions: by one statement a long history would reach
 * its time limit, and delay the event tail of every company. Tables that only the system role writes are left to the deletion.
 */
export async function detachRows(db: Db, options: DetachOptions): Promise<void> {
  const { table, id, first, signal, inCompany, batch = 500 } = options;
  for (const { name, column, isKept } of await findReferences(db, table, first)) {
    const change = isKept
      ? sql`update ${sql.table(name)} set ${sql.ref(column)} = null`
      : sql`delete from ${sql.table(name)}`;
    let changed = batch;
    while (changed === batch) {
      signal.throwIfAborted();
      changed = await inCompany(async (ctx) => {
        const { numAffectedRows = 0n } = await sql`${change} where ctid = any (array(
          select ctid from ${sql.table(name)}
          where company_id = ${ctx.companyId} and ${sql.ref(column)} = ${id} limit ${batch}))`.execute(ctx.db);
        return Number(numAffectedRows);
      });
    }
  }
}

/** Columns that refer to a table; `isKept`: their rows stay without it. */
async function findReferences(
  db: Db,
  table: string,
  first: string,
): Promise<readonly { readonly name: string; readonly column: string; readonly isKept: boolean }[]> {
  const { rows } = await sql<{ name: string; column: string; isKept: boolean }>`
    select f.conrelid::regclass::text as name, a.attname::text as column, f.confdeltype = 'n' as "isKept"
    from pg_constraint f
    join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.conkey) and a.attname <> 'company_id'
    where f.contype = 'f' and f.confrelid = ${table}::regclass and f.confdeltype in ('n', 'c')
      and has_column_privilege(${APP_ROLE}, f.conrelid, a.attname, 'update')
      and (f.confdeltype = 'n' or has_table_privilege(${APP_ROLE}, f.conrelid, 'delete'))
    order by f.conrelid = ${first}::regclass desc, 1, 2`.execute(db.system);
  return rows;
}
