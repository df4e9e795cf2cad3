import { sql } from "kysely";
import { APP_ROLE } from "./migration-helpers.ts";
import type { CompanyScope, Db } from "./open-database.ts";

/** Rows of one transaction: a long one would delay the event tail of every company. */
const BATCH = 500;

/**
 * Deletes a company's rows under its own rights, table by table, referencing tables first so that cascades have little to
 * do. Rows that only the system role may delete go by cascade.
 */
export async function eraseRows(db: Db, scope: CompanyScope, signal: AbortSignal): Promise<void> {
  for (const table of await findTables(db)) {
    let deleted = BATCH;
    while (deleted === BATCH) {
      signal.throwIfAborted();
      deleted = await db.inCompany({ ...scope, retry: true }, async (ctx) => {
        const { numAffectedRows = 0n } = await sql`
          delete from ${sql.table(table)} where ctid = any (array(
            select ctid from ${sql.table(table)} where company_id = ${scope.companyId} limit ${BATCH}))`.execute(
          ctx.db,
        );
        return Number(numAffectedRows);
      });
    }
  }
}

/**
 * Tables with a company_id that prosa_app may delete from, referencing tables before referenced ones. In a cycle (a queue
 * has a prompt, a prompt a queue) foreign keys with ON DELETE SET NULL do not count.
 */
async function findTables(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string; targets: string[]; bound: string[] }>`
    select c.relname as name, array(
      select f.confrelid::regclass::text from pg_constraint f
      where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid) as targets,
      array(select f.confrelid::regclass::text from pg_constraint f
      where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid and f.confdeltype <> 'n') as bound
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      and has_table_privilege(${APP_ROLE}, c.oid, 'delete')
    order by c.relname`.execute(db.system);
  const ordered: string[] = [];
  let left = tables;
  while (left.length > 0) {
    const targets = new Set(left.flatMap((table) => table.targets));
    const bound = new Set(left.flatMap((table) => table.bound));
    const untouched = left.filter(({ name }) => !targets.has(name));
    const free = untouched.length > 0 ? untouched : left.filter(({ name }) => !bound.has(name)).slice(0, 1);
    if (free.length === 0) {
      throw new Error(`Tables reference each other: ${left.map(({ name }) => name).join()}`);
    }
    ordered.push(...free.map(({ name }) => name));
    left = left.filter((table) => !free.includes(table));
  }
  return ordered;
}
