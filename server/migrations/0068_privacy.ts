import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** Erasure of a contact's data, and how long conversations are kept (V-02, decision 0210). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contact_erasures (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      -- no foreign key: the contact goes
      contact_id int not null,
      user_id int,
      requested_at timestamptz not null,
      state text not null default 'waiting' check (state in ('waiting', 'running', 'finished')),
      -- whom to look for, sealed; null once it is finished
      subject bytea,
      step text not null default '',
      erased int not null default 0,
      finished_at timestamptz,
      -- keyed hashes of the person's numbers and LIDs, for a restore and for history that WhatsApp sends again
      marks text[] not null,
      foreign key (company_id, user_id) references users (company_id, id) on delete set null (user_id)
    )`.execute(db);
  await sql`create index contact_erasures_latest on contact_erasures (company_id, id desc)`.execute(db);
  await sql`create index contact_erasures_marks on contact_erasures using gin (marks)`.execute(db);
  await sql`create index contact_erasures_of_user on contact_erasures (company_id, user_id)`.execute(db);
  await sql`create unique index contact_erasures_once on contact_erasures (company_id, contact_id)
    where state <> 'finished'`.execute(db);
  await protect(db, "contact_erasures", { system: "read" });

  await sql`
    create table contact_exports (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      contact_id int not null,
      user_id int,
      state text not null default 'waiting' check (state in ('waiting', 'finished', 'failed')),
      storage_key text,
      size bigint,
      requested_at timestamptz not null,
      expires_at timestamptz,
      foreign key (company_id, contact_id) references contacts (company_id, id) on delete cascade,
      foreign key (company_id, user_id) references users (company_id, id) on delete set null (user_id)
    )`.execute(db);
  await sql`create index contact_exports_of_contact on contact_exports (company_id, contact_id, id desc)`.execute(db);
  await sql`create index contact_exports_of_user on contact_exports (company_id, user_id)`.execute(db);
  await sql`create index contact_exports_expiry on contact_exports (expires_at) where expires_at is not null`.execute(
    db,
  );
  await protect(db, "contact_exports", { system: "read" });

  // Which erasure emptied a row: the check looks whether it was requested in the chain itself.
  await sql`alter table audit_log add column erased_contact_id int`.execute(db);
  await sql`grant update (erased_contact_id) on audit_log to prosa_system`.execute(db);

  // Words that no message has any more are removed (of the company: both tables have its policy).
  await sql`grant delete on message_words to prosa_app`.execute(db);
  await sql`grant select on message_texts to prosa_app`.execute(db);

  await sql`create index messages_of_participant on messages (company_id, id) where participant is not null`.execute(
    db,
  );

  // Days that resolved conversations are kept; null: for ever.
  await sql`alter table queues add column retention_days int check (retention_days between 1 and 36500)`.execute(db);
}
