import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "../src/platform/db/migration-helpers.ts";

/** Who is online, and what was tried too often: both must hold over all processes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Each process with sockets of a user renews the row; nobody has to say "gone", so a process may just die.
  await sql`
    create table user_presence (
      user_id    int primary key references users on delete cascade,
      company_id int not null references companies on delete cascade,
      seen_at    timestamptz not null,
      -- what the company was last told
      is_online  boolean not null default true
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index user_presence_online on user_presence (seen_at) where is_online`.execute(db);
  await protect(db, "user_presence", { app: "read", system: "all" });

  // Token buckets by key, such as sign-in:someone@example.com. Unlogged: after a crash of the database everybody may
  // try again, which is fine. Nothing of a company, so no policy.
  await sql`
    create unlogged table rate_limits (
      key        text primary key,
      tokens     double precision not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create index rate_limits_age on rate_limits (updated_at)`.execute(db);
  await sql`grant select, insert, update, delete on rate_limits to prosa_system`.execute(db);
}
