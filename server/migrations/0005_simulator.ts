import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "../src/platform/db/migration-helpers.ts";

/** The people of simulator lines (W-07), and how much they said by themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // All companies of an installation share one simulated network, so a number is one person of one line.
  await sql`
    create table sim_people (
      number        text primary key,
      company_id    int not null references companies on delete cascade,
      connection_id int not null references connections on delete cascade,
      name          text not null,
      created_at    timestamptz not null default now()
    )`.execute(db);
  await sql`create index sim_people_connection on sim_people (connection_id)`.execute(db);
  await protect(db, "sim_people");

  // Keeps a demo that nobody stops from growing for ever, over restarts too.
  await sql`
    create table sim_days (
      connection_id int primary key references connections on delete cascade,
      company_id    int not null references companies on delete cascade,
      day           date not null,
      said          int not null
    )`.execute(db);
  await protect(db, "sim_days");
}
