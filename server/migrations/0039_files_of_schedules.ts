import { sql } from "kysely";
import type { Kysely } from "kysely";
import { buildIndexConcurrently } from "#server/platform/db/migration-helpers.ts";

/**
 * The file of a scheduled message, and the indexes of the calendar: a range of days of one user, the schedule that a
 * failed message was sent from, and that of a requested file. The company's range has its index since 0017.
 */
export async function prepare(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table schedules add column if not exists media_path text, add column if not exists media_name text,
      add column if not exists media_type text, add column if not exists media_size int`.execute(db);
  await buildIndexConcurrently(db, "schedules_of_user", sql`index`, sql`on schedules (company_id, user_id, send_at)`);
  await buildIndexConcurrently(db, "schedules_client", sql`index`, sql`on schedules (company_id, client_id)`);
  await buildIndexConcurrently(
    db,
    "schedules_file",
    sql`index`,
    sql`on schedules (company_id, media_path) where media_path is not null`,
  );
}

/** Nothing but columns and indexes, which `prepare` adds. */
export async function up(): Promise<void> {}
