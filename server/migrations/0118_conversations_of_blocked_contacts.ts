import { sql } from "kysely";
import type { Kysely } from "kysely";
import { inEachCompany } from "#server/platform/db/migration-helpers.ts";

/**
 * An unblock brings back what the block closed, which the ticket notes since this release (decision 0091). Those of contacts that are
 * blocked already get the note where nobody had begun to serve them, by which the release before told them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await inEachCompany(db, (company) =>
    sql`
      update tickets t set bot_state = coalesce(t.bot_state, '{}') || jsonb_build_object('closedByBlock', e.id)
      from contacts c, episodes e
      where c.is_blocked and t.company_id = c.company_id and t.contact_id = c.id and t.status = 'closed'
        and e.company_id = t.company_id and e.id = t.episode_id and e.finished_at is not null and e.started_at is null`.execute(
      company,
    ),
  );
}
