import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Client versions that WhatsApp does not let in: one line of the installation tries at a time, the others wait. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table refused_versions (
      -- as lines announce it
      version     text primary key,
      since       timestamptz not null default clock_timestamp(),
      -- logins that were tried with it since, by one line each
      tries       int not null default 1,
      next_try_at timestamptz not null
    )`.execute(db);
  await sql`grant select, insert, update, delete on refused_versions to prosa_system`.execute(db);
}
