import { sql } from "kysely";
import type { Kysely } from "kysely";

/** The region of a Dialogflow agent (O-09): each has an address of its own. The release before this one reaches the global ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table queue_integrations add column location text not null default 'global'`.execute(db);
}
