import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Who runs on this database right now: each process renews its own row, nobody has to say that another one died. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Unlogged: after a crash of the database whoever lives says so again within seconds. Nothing of a company, so no policy.
  await sql`
    create unlogged table processes (
      name       text primary key,
      host       text not null,
      roles      text[] not null,
      version    text not null,
      state      text not null check (state in ('starting', 'ready', 'leaving')),
      started_at timestamptz not null default clock_timestamp(),
      seen_until timestamptz not null
    )`.execute(db);
  await sql`grant select, insert, update, delete on processes to prosa_system`.execute(db);
}
