import { sql } from "kysely";
import type { Kysely } from "kysely";
import { buildIndexConcurrently } from "#server/platform/db/migration-helpers.ts";

/** Each time a picture is fetched its contact is asked for: is there one still? */
export async function prepare(db: Kysely<unknown>): Promise<void> {
  const columns = sql`on contacts (company_id, picture_path) where picture_path is not null`;
  await buildIndexConcurrently(db, "contacts_picture", sql`index`, columns);
}

/** Nothing but the index, which is built outside the transaction. */
export async function up(): Promise<void> {}
