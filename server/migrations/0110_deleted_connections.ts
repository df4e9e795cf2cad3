import { sql } from "kysely";
import type { Kysely } from "kysely";
import { APP_ROLE } from "#server/platform/db/migration-helpers.ts";

/**
 * A deleted connection stays for as long as a job takes to detach its messages and tickets. Meanwhile row-level security hides it
 * from every query of its company, those of the release before this one included; only who deletes it says that they see it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connections add column deleted_at timestamptz`.execute(db);
  await sql`create policy not_deleted on connections as restrictive to ${sql.id(APP_ROLE)}
    using (deleted_at is null or current_setting('app.sees_deleted', true) = 'on')`.execute(db);
}
