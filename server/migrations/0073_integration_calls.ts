import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/**
 * Queue integrations answer customers (O-09, decision 0221): what signs their calls, the log of the calls with the reply that each
 * brought, and the sessions at Typebot.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // encrypted; null until the first call or the first look at it
  await sql`alter table queue_integrations add column secret bytea`.execute(db);

  await sql`
    create table integration_calls (
      id int generated always as identity primary key,
      company_id int not null,
      integration_id int not null,
      -- of the turn: a retry has the same, so that the receiver can tell
      delivery_id uuid not null,
      ticket_id int not null,
      request text not null,
      state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
      attempts int not null default 0,
      status int,
      error text,
      -- the beginning of the last answer, to read
      answer text,
      -- what is said to the customer: a turn that is repeated after a crash is not asked twice
      reply jsonb,
      duration_ms int,
      created_at timestamptz not null,
      answered_at timestamptz,
      unique (integration_id, delivery_id),
      foreign key (company_id, integration_id) references queue_integrations (company_id, id) on delete cascade
    )`.execute(db);
  await sql`create index integration_calls_of on integration_calls (company_id, integration_id, id desc)`.execute(db);
  await sql`create index integration_calls_of_ticket on integration_calls (company_id, ticket_id)`.execute(db);
  await sql`create index integration_calls_by_age on integration_calls (created_at)`.execute(db);
  await protect(db, "integration_calls", { system: "all" });

  await sql`
    create table typebot_sessions (
      company_id int not null,
      ticket_id int not null,
      integration_id int not null,
      -- a new episode is a new conversation
      episode_id int,
      session_id text not null,
      -- the lines of the last menu, so that their numbers are understood
      choices jsonb not null,
      used_at timestamptz not null,
      primary key (company_id, ticket_id),
      foreign key (company_id, ticket_id) references tickets (company_id, id) on delete cascade,
      foreign key (company_id, integration_id) references queue_integrations (company_id, id) on delete cascade
    )`.execute(db);
  await sql`create index typebot_sessions_of on typebot_sessions (company_id, integration_id)`.execute(db);
  await protect(db, "typebot_sessions");
}
