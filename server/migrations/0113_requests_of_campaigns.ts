import { sql } from "kysely";
import type { Kysely } from "kysely";
import { buildIndexConcurrently } from "#server/platform/db/migration-helpers.ts";

/** The id that a client makes for each new campaign, so that a request that is sent again makes no second one. */
export async function prepare(db: Kysely<unknown>): Promise<void> {
  await sql`alter table campaigns add column if not exists request_id text`.execute(db);
  await buildIndexConcurrently(
    db,
    "campaigns_request",
    sql`unique index`,
    sql`on campaigns (company_id, request_id) where request_id is not null`,
  );
}

/** Nothing but a column and its index, which `prepare` adds. */
export async function up(): Promise<void> {}
