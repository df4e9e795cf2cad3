import { sql } from "kysely";
import type { Kysely } from "kysely";
import { buildIndexConcurrently } from "#server/platform/db/migration-helpers.ts";

/**
 * The id that a client makes for each new note, quick message and announcement, so that a request that is sent again makes no
 * second one; as 0042 for schedules. Announcements belong to no company.
 */
export async function prepare(db: Kysely<unknown>): Promise<void> {
  for (const table of ["ticket_notes", "quick_messages", "announcements"]) {
    const owner = table === "announcements" ? sql`` : sql`company_id, `;
    await sql`alter table ${sql.table(table)} add column if not exists request_id text`.execute(db);
    await buildIndexConcurrently(
      db,
      `${table}_request`,
      sql`unique index`,
      sql`on ${sql.table(table)} (${owner}request_id) where request_id is not null`,
    );
  }
}

/** Nothing but columns and indexes, which `prepare` adds. */
export async function up(): Promise<void> {}
