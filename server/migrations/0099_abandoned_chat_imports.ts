import { sql } from "kysely";
import type { Kysely } from "kysely";
import { SYSTEM_ROLE } from "#server/platform/db/migration-helpers.ts";

/** Imports of all companies whose job is gone are looked for each hour; only the system role sees all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create policy machinery on chat_imports for select to ${sql.id(SYSTEM_ROLE)} using (true)`.execute(db);
  await sql`grant select on chat_imports to ${sql.id(SYSTEM_ROLE)}`.execute(db);
  await sql`create index chat_imports_open on chat_imports (id) where state not in ('finished', 'failed')`.execute(db);
}
