import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * Erasures that a restore asks for again have no subject until their people are found; ids were given anew, so several may name one contact
 * (decision 0284). Of those with a subject there is one at a time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index contact_erasures_once`.execute(db);
  await sql`create unique index contact_erasures_once on contact_erasures (company_id, contact_id)
    where subject is not null`.execute(db);
  await sql`create index contact_erasures_open on contact_erasures (id) where state <> 'finished'`.execute(db);
}
