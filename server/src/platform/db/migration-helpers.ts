import { sql } from "kysely";
import type { Kysely, QueryExecutorProvider, RawBuilder } from "kysely";

/** The role of requests and job handlers: sees one company at a time. */
export const APP_ROLE = "prosa_app";
/** The role of the machinery (event tail, job runner, line leases, sign-in look-ups): sees all companies where allowed. */
export const SYSTEM_ROLE = "prosa_system";

export interface ProtectOptions {
  /** The column that names the company. Default `company_id`; `id` for the table of companies itself. */
  readonly column?: string;
  /** What prosa_system may do, over all companies. Default nothing. */
  readonly system?: "read" | "all";
  /** What prosa_app may do with its own company's rows. Default all. */
  readonly app?: "read" | "insert" | "all";
}

const RIGHTS = { read: "select", insert: "insert", all: "select, insert, update, delete" } as const;

/**
 * Row-level security for a table with a company: prosa_app sees and writes only rows of the company that the
 * transaction set, nobody is exempt (not even the owner), and prosa_system gets only what `system` says.
 */
export async function protect(db: QueryExecutorProvider, table: string, options: ProtectOptions = {}): Promise<void> {
  const { column = "company_id", app = "all", system } = options;
  const name = sql.table(table);
  // The select makes it an init plan: evaluated once per statement, not once per row.
  const isOwn = sql`(select nullif(current_setting('app.company_id', true), '')::int) = ${sql.ref(column)}`;

  await sql`alter table ${name} enable row level security`.execute(db);
  await sql`alter table ${name} force row level security`.execute(db);
  await sql`create policy own_company on ${name} to ${sql.id(APP_ROLE)} using (${isOwn}) with check (${isOwn})`.execute(
    db,
  );
  await grant(db, table, APP_ROLE, app);

  if (system) {
    const command = sql.raw(system === "read" ? "for select" : "for all");
    await sql`create policy machinery on ${name} ${command} to ${sql.id(SYSTEM_ROLE)} using (true)`.execute(db);
    await grant(db, table, SYSTEM_ROLE, system);
  }
}

export interface ShareOptions {
  /** What prosa_app may do. Default read. */
  readonly app?: "read" | "all";
  /** What prosa_system may do. Default read. */
  readonly system?: "read" | "all";
}

/** A table that belongs to no company (plans, help pages): no row-level security, only rights. */
export async function share(db: QueryExecutorProvider, table: string, options: ShareOptions = {}): Promise<void> {
  await grant(db, table, APP_ROLE, options.app ?? "read");
  await grant(db, table, SYSTEM_ROLE, options.system ?? "read");
}

async function grant(db: QueryExecutorProvider, table: string, role: string, rights: keyof typeof RIGHTS) {
  await sql`grant ${sql.raw(RIGHTS[rights])} on ${sql.table(table)} to ${sql.id(role)}`.execute(db);
}

/**
 * Builds an index while the table is written, for `prepare` of a migration. It waits for transactions that run, however
 * long they do, and keeps nobody waiting; one that broke off left an index that nobody uses, which goes first.
 */
export async function buildIndexConcurrently(
  db: Kysely<unknown>,
  name: string,
  kind: RawBuilder<unknown>,
  definition: RawBuilder<unknown>,
): Promise<void> {
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ isValid: boolean }>`
      select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(${name})`.execute(connection);
    if (rows[0]?.isValid) {
      return;
    }
    await sql`set lock_timeout = 0`.execute(connection);
    try {
      await sql`drop index concurrently if exists ${sql.id(name)}`.execute(connection);
      const create = sql.join([sql`create`, kind, sql`concurrently`, sql.id(name), definition], sql` `);
      await create.execute(connection);
    } finally {
      await sql`reset lock_timeout`.execute(connection);
    }
  });
}
