import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Looks at the rows that were there before the foreign keys of 0027: in a transaction of its own, writes go on meanwhile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ table: string; name: string }>`
    select c.relname as table, f.conname as name from pg_constraint f join pg_class c on c.oid = f.conrelid
    where f.contype = 'f' and not f.convalidated and c.relnamespace = 'public'::regnamespace
    order by 1, 2`.execute(db);
  for (const { table, name } of rows) {
    await sql`alter table ${sql.table(table)} validate constraint ${sql.id(name)}`.execute(db);
  }
}
