import { sql } from "kysely";
import type { Kysely } from "kysely";

/** What a product costs, in reais. A product that the release before adds has no price. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table products add column price numeric(12, 2)`.execute(db);
}
