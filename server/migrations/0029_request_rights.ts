import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * What a company owes, who is the operator and who is signed in is written by the machinery only (decision 0128). A column
 * that comes later is not among these grants: the migration that adds it says whether requests may write it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`revoke insert, update, delete on users, companies, sessions, audit_log from prosa_app`.execute(db);

  const ofUser = sql`name, email, password_hash, profile, all_ticket, connection_id, preferences`;
  await sql`grant insert (company_id, ${ofUser}), update (${ofUser}), delete on users to prosa_app`.execute(db);
  await sql`grant update (time_zone, language, schedules) on companies to prosa_app`.execute(db);
  // A request may end a session. It cannot bring one back: it does not even reach one that has ended.
  await sql`grant update (ended_at, ended_reason) on sessions to prosa_app`.execute(db);
  await sql`create policy only_alive on sessions as restrictive for update to prosa_app
    using (ended_at is null) with check (true)`.execute(db);
  await sql`grant insert on audit_log to prosa_app`.execute(db);

  // The password of the role by which processes sign in (platform/db/sign-in.ts); for the owner's eyes only.
  await sql`
    create table database_sign_in (
      only_row boolean primary key default true check (only_row),
      password text not null
    )`.execute(db);
}
