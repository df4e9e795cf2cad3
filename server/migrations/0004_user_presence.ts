import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "../src/platform/db/migration-helpers.ts";

/** Who is online, over all processes: each one with sockets of a user says so now and then, and nobody has to say "gone". */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table user_presence (
      user_id    int primary key references users on delete cascade,
      company_id int not null references companies on delete cascade,
      seen_at    timestamptz not null,
      -- what the company was last told
      is_online  boolean not null default true
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index user_presence_online on user_presence (seen_at) where is_online`.execute(db);
  await protect(db, "user_presence", { system: "all" });
}
