import { sql } from "kysely";
import type { Kysely } from "kysely";
import { buildIndexConcurrently } from "#server/platform/db/migration-helpers.ts";

/**
 * Foreign keys between tables of companies carry the company: no row can name another company's, whatever a query got
 * wrong, because referential integrity looks past row-level security. Large tables are not locked for long: the unique
 * indexes are built beside running writes, and what is there already is validated by the next migration (decision 0128).
 */

/** Outside the transaction. */
export async function prepare(db: Kysely<unknown>): Promise<void> {
  const tables = new Set((await keysWithoutCompany(db)).map(({ target }) => target));
  for (const table of tables) {
    if (!(await hasCompanyKey(db, table))) {
      await buildIndexConcurrently(db, keyName(table), sql`unique index`, sql`on ${sql.table(table)} (company_id, id)`);
    }
  }
}

export async function up(db: Kysely<unknown>): Promise<void> {
  const keys = await keysWithoutCompany(db);
  for (const table of new Set(keys.map(({ target }) => target))) {
    if (!(await hasCompanyKey(db, table))) {
      const name = sql.id(keyName(table));
      await sql`alter table ${sql.table(table)} add constraint ${name} unique using index ${name}`.execute(db);
    }
  }
  for (const key of keys) {
    const [table, name, column] = [sql.table(key.source), sql.id(key.name), sql.id(key.column)];
    await sql`
      alter table ${table} drop constraint ${name},
        add constraint ${name} foreign key (company_id, ${column}) references ${sql.table(key.target)} (company_id, id)
        on delete ${key.isSetNull ? sql`set null (${column})` : sql`cascade`} not valid`.execute(db);
  }
}

interface Key {
  readonly name: string;
  readonly source: string;
  readonly column: string;
  readonly target: string;
  readonly isSetNull: boolean;
}

async function keysWithoutCompany(db: Kysely<unknown>): Promise<Key[]> {
  const { rows } = await sql<Key>`
    select f.conname as name, s.relname as source, a.attname as "column", t.relname as target,
      f.confdeltype = 'n' as "isSetNull"
    from pg_constraint f
      join pg_class s on s.oid = f.conrelid
      join pg_class t on t.oid = f.confrelid
      join pg_attribute a on a.attrelid = s.oid and a.attnum = f.conkey[1]
    where f.contype = 'f' and cardinality(f.conkey) = 1 and s.relnamespace = 'public'::regnamespace
      and exists (select from pg_attribute c where c.attrelid = s.oid and c.attname = 'company_id')
      and exists (select from pg_attribute c where c.attrelid = t.oid and c.attname = 'company_id')
    order by 2, 1`.execute(db);
  return rows;
}

async function hasCompanyKey(db: Kysely<unknown>, table: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_constraint where conrelid = ${table}::regclass and conname = ${keyName(table)}`.execute(db);
  return rows.length > 0;
}

function keyName(table: string): string {
  return `${table}_company_id_id_key`;
}
