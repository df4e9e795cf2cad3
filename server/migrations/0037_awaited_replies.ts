import { sql } from "kysely";
import type { Kysely } from "kysely";
import { buildIndexConcurrently } from "#server/platform/db/migration-helpers.ts";

/** The key reads every ticket, and the index is for deleting a user: neither may stop the conversations meanwhile. */
export async function prepare(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table tickets add column if not exists awaited_user_id int, add column if not exists awaited_since timestamptz`.execute(
    db,
  );
  await buildIndexConcurrently(
    db,
    "tickets_awaited",
    sql`index`,
    sql`on tickets (company_id, awaited_user_id) where awaited_user_id is not null`,
  );
  await sql`alter table tickets drop constraint if exists tickets_awaited_user_id_fkey`.execute(db);
  await sql`
    alter table tickets add constraint tickets_awaited_user_id_fkey foreign key (company_id, awaited_user_id)
      references users (company_id, id) on delete set null (awaited_user_id) not valid`.execute(db);
  await sql`alter table tickets validate constraint tickets_awaited_user_id_fkey`.execute(db);
}

/**
 * Whom a reply waits for: `awaited_user_id` scheduled or started what the contact has not answered yet, and spoke last at
 * `awaited_since`; without a time they have not written yet. Nothing but columns, which `prepare` adds.
 */
export async function up(): Promise<void> {}
