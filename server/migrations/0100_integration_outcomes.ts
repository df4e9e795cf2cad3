import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * The list of integrations shows when each last worked and what fails: its newest call of each outcome, read by one row (O-09). And what
 * tells whether a call that was interrupted had reached the other system, or puts that back to before it (decision 0270).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index integration_calls_by_outcome on integration_calls (company_id, integration_id, state, answered_at)
      where answered_at is not null`.execute(db);
  // the question that Typebot asked last, and the contexts of Dialogflow after its last answer
  await sql`alter table typebot_sessions add column question text, add column contexts jsonb`.execute(db);
}
