import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Until when a pairing code can be typed on the phone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connections add column pairing_expires_at timestamptz`.execute(db);
}
