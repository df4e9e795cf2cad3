import { sql } from "kysely";
import type { Kysely, QueryExecutorProvider, RawBuilder } from "kysely";

/** The role of requests and job handlers: sees one company at a time. */
export const APP_ROLE = "prosa_app";
/** The system role (event tail, job runner, line leases, sign-in look-ups): sees all companies where a policy allows it. */
export const SYSTEM_ROLE = "prosa_system";

export interface ProtectOptions {
  /** The column that names the company. Default `company_id`; `id` for the table of companies itself. */
  readonly column?: string;
  /** Rights of prosa_system over all companies. Default none. */
  readonly system?: "read" | "all";
  /** Rights of prosa_app over its own company's rows. Default all. */
  readonly app?: "read" | "insert" | "all";
}

const RIGHTS = { read: "select", insert: "insert", all: "select, insert, update, delete" } as const;

/**
 * Enables row-level security on a table with a company: prosa_app sees and writes only rows of the transaction's company,
 * the owner of the table is not exempt, and prosa_system gets only the rights of `system`.
 */
export async function protect(db: QueryExecutorProvider, table: string, options: ProtectOptions = {}): Promise<void> {
  const { column = "company_id", app = "all", system } = options;
  const name = sql.table(table);
  // The subselect makes it an InitPlan: evaluated once per statement, not once per row.
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
  /** Rights of prosa_app. Default read. */
  readonly app?: "read" | "all";
  /** Rights of prosa_system. Default read. */
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
 * Creates an index with CREATE INDEX CONCURRENTLY, for `prepare` of a migration. Waits for running transactions without
 * blocking them. An invalid index of an interrupted attempt is dropped first.
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

/**
 * Runs `work` for each company under its rights, in a transaction each or in the one of `up`: row-level security holds for the
 * owner of the tables too, unless that is a superuser.
 */
export async function inEachCompany(
  db: Kysely<unknown>,
  work: (company: Kysely<unknown>) => Promise<unknown>,
): Promise<void> {
  const as = async <T>(role: string, query: (trx: Kysely<unknown>) => Promise<T>): Promise<T> => {
    const inRole = async (trx: Kysely<unknown>) => {
      await sql`set local role ${sql.id(role)}`.execute(trx);
      const result = await query(trx);
      await sql`reset role`.execute(trx);
      return result;
    };
    return db.isTransaction ? inRole(db) : db.transaction().execute(inRole);
  };
  const { rows } = await as(SYSTEM_ROLE, (trx) =>
    sql<{ id: number }>`select id from companies order by id`.execute(trx),
  );
  for (const { id } of rows) {
    await as(APP_ROLE, async (trx) => {
      await sql`select set_config('app.company_id', ${String(id)}, true)`.execute(trx);
      await work(trx);
    });
  }
}
