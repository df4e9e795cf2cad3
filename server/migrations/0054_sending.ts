import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect, share } from "#server/platform/db/migration-helpers.ts";

/** The sending gate: who wants no campaigns, the pace of each line, and its rules (P-01 to P-03). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createOptOuts(db);
  await createRules(db);
  await sql`
    alter table schedules
      add column held_reason text,
      add column held_until timestamptz`.execute(db);
  await sql`
    create index schedules_held on schedules (company_id, held_reason) where held_reason is not null and sent_at is null`.execute(
    db,
  );
}

async function createOptOuts(db: Kysely<unknown>) {
  await sql`
    create table opt_outs (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      -- null after the contact was deleted: the number still wants nothing
      contact_id int,
      number_key text,
      at timestamptz not null,
      source text not null check (source in ('word', 'person', 'declined')),
      word text,
      message_id bigint,
      ticket_id int,
      user_id int,
      note text not null default '',
      taken_back_at timestamptz,
      -- null: by the contact
      taken_back_by int,
      -- a merge found another active one; null again when it is undone
      superseded_at timestamptz,
      foreign key (company_id, contact_id) references contacts (company_id, id) on delete set null (contact_id),
      foreign key (company_id, message_id) references messages (company_id, id) on delete set null (message_id),
      foreign key (company_id, ticket_id) references tickets (company_id, id) on delete set null (ticket_id),
      foreign key (company_id, user_id) references users (company_id, id) on delete set null (user_id),
      foreign key (company_id, taken_back_by) references users (company_id, id) on delete set null (taken_back_by)
    )`.execute(db);
  await sql`
    create unique index opt_outs_active on opt_outs (contact_id)
    where taken_back_at is null and superseded_at is null and contact_id is not null`.execute(db);
  await sql`
    create index opt_outs_of_number on opt_outs (company_id, number_key)
    where taken_back_at is null and superseded_at is null and contact_id is null`.execute(db);
  await sql`create index opt_outs_of_contact on opt_outs (company_id, contact_id, id desc)`.execute(db);
  await sql`create index opt_outs_of_message on opt_outs (message_id) where message_id is not null`.execute(db);
  await sql`create index opt_outs_of_ticket on opt_outs (ticket_id) where ticket_id is not null`.execute(db);
  await protect(db, "opt_outs");
}

async function createRules(db: Kysely<unknown>) {
  await sql`
    create table line_pace (
      connection_id int primary key,
      company_id int not null references companies on delete cascade,
      -- when the line may start the next conversation
      next_at timestamptz not null,
      foreign key (company_id, connection_id) references connections (company_id, id) on delete cascade
    ) with (fillfactor = 50)`.execute(db);
  await protect(db, "line_pace");

  await sql`
    create table line_rules (
      connection_id int primary key,
      company_id int not null references companies on delete cascade,
      daily_cap int,
      warm_up boolean not null default true,
      foreign key (company_id, connection_id) references connections (company_id, id) on delete cascade
    )`.execute(db);
  await protect(db, "line_rules");

  await sql`
    create table sending_rules (
      company_id int primary key references companies on delete cascade,
      min_gap_seconds int not null,
      hours jsonb not null
    )`.execute(db);
  await protect(db, "sending_rules");

  await sql`
    create table warm_up_plan (
      day int primary key check (day > 0),
      -- null: any number
      start_limit int
    )`.execute(db);
  await sql`
    insert into warm_up_plan (day, start_limit)
    values (1, 20), (2, 30), (3, 45), (5, 70), (7, 100), (10, 150), (14, 250), (21, 500), (30, null)`.execute(db);
  await share(db, "warm_up_plan", { system: "all" });
}
