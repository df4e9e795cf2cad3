import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * Each sign-in asks from where the account signed in before, those that have ended among them, and counts none that
 * ended before the password that holds now.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index sessions_of_user on sessions (user_id)`.execute(db);
  // null: before this migration, or never
  await sql`alter table users add column password_changed_at timestamptz`.execute(db);
  await sql`grant update (password_changed_at) on users to prosa_app`.execute(db);
}
