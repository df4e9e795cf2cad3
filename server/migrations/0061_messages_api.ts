import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** What other software asked to send: its idempotency key, what it becomes, and what the sending gate holds back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_messages (
      id uuid primary key,
      company_id int not null references companies on delete cascade,
      connection_id int not null,
      idempotency_key text,
      -- SHA-256 of what was asked, to tell a repetition from another request with the same key
      fingerprint text not null,
      number text not null,
      body text not null,
      options jsonb not null,
      -- the stored files of a message that waits
      files jsonb not null default '[]',
      state text not null check (state in ('waiting', 'stored', 'failed')),
      held_reason text,
      held_until timestamptz,
      error text,
      message_ids bigint[] not null default '{}',
      created_at timestamptz not null,
      foreign key (company_id, connection_id) references connections (company_id, id) on delete cascade
    )`.execute(db);
  await sql`
    create unique index api_messages_key on api_messages (company_id, connection_id, idempotency_key)
    where idempotency_key is not null`.execute(db);
  await sql`
    create index api_messages_waiting on api_messages (company_id, connection_id, number) where state = 'waiting'`.execute(
    db,
  );
  await sql`create index api_messages_of_connection on api_messages (connection_id)`.execute(db);
  await sql`create index api_messages_by_age on api_messages (created_at)`.execute(db);
  await protect(db, "api_messages", { system: "all" });
}
