import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** What was done to many tickets at once, so that it can be taken back; messages that wait for their time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ticket_bulks (
      id uuid primary key default gen_random_uuid(),
      company_id int not null references companies on delete cascade,
      user_id int not null references users on delete cascade,
      -- each ticket as it was, and the version that the action left
      tickets jsonb not null,
      undo_until timestamptz not null,
      undone_at timestamptz
    )`.execute(db);
  await sql`create index ticket_bulks_old on ticket_bulks (company_id, undo_until)`.execute(db);
  await protect(db, "ticket_bulks");

  await sql`
    create table schedules (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      contact_id int not null references contacts on delete cascade,
      user_id int references users on delete set null,
      -- the line to write by; null is the contact's own, else the user's, else the default one
      connection_id int references connections on delete set null,
      body text not null,
      send_at timestamptz not null,
      -- given to the conversation; how far it got from there is the message's affair
      sent_at timestamptz,
      is_late boolean not null default false,
      -- why it could not be given to the conversation
      error text,
      -- of the message that it becomes: the same one again is the same message
      client_id text not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index schedules_by_time on schedules (company_id, send_at)`.execute(db);
  await sql`create index schedules_of_contact on schedules (contact_id)`.execute(db);
  await sql`create index schedules_of_connection on schedules (connection_id) where connection_id is not null`.execute(
    db,
  );
  await protect(db, "schedules");
}
