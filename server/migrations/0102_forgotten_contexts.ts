import { sql } from "kysely";
import type { Kysely } from "kysely";
import { SYSTEM_ROLE } from "#server/platform/db/migration-helpers.ts";

/**
 * What a Dialogflow agent has learned of a customer (names, e-mail addresses) is kept as long as it is at Google, of all companies;
 * only the system role sees all, and of the rest of a session nothing (decision 0286).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create policy machinery_reads on typebot_sessions for select to ${sql.id(SYSTEM_ROLE)} using (true)`.execute(
    db,
  );
  await sql`create policy machinery_forgets on typebot_sessions for update to ${sql.id(SYSTEM_ROLE)} using (true)`.execute(
    db,
  );
  await sql`grant select (company_id, ticket_id, used_at, contexts), update (contexts) on typebot_sessions
    to ${sql.id(SYSTEM_ROLE)}`.execute(db);
  await sql`create index typebot_sessions_with_contexts on typebot_sessions (used_at) where contexts is not null`.execute(
    db,
  );
}
