import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/**
 * Outgoing webhooks (V-06, decision 0214). A trigger copies the events of companies with an endpoint into an outbox, in the
 * transaction of the event, so that none is lost; a job makes the deliveries of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhooks (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      url text not null,
      description text not null,
      events text[] not null,
      -- encrypted; null only between the insert and the update that seals it
      secret bytea,
      is_active boolean not null default true,
      switched_off text check (switched_off in ('failing', 'gone')),
      failing_since timestamptz,
      created_at timestamptz not null,
      unique (company_id, id)
    )`.execute(db);
  await protect(db, "webhooks", { system: "all" });

  await sql`
    create table webhook_events (
      id bigint generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      webhook_id uuid not null default gen_random_uuid(),
      type text not null,
      payload jsonb not null,
      at timestamptz not null default now()
    )`.execute(db);
  await sql`create index webhook_events_of_company on webhook_events (company_id, id)`.execute(db);
  await protect(db, "webhook_events", { system: "all" });

  await sql`
    create table webhook_deliveries (
      id int generated always as identity primary key,
      company_id int not null,
      endpoint_id int not null,
      webhook_id uuid not null,
      type text not null,
      -- what is delivered in order: ticket:7, contact:7, connection:7
      subject text not null,
      body text not null,
      state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
      attempts int not null default 0,
      next_attempt_at timestamptz,
      status int,
      error text,
      answer text,
      duration_ms int,
      created_at timestamptz not null,
      delivered_at timestamptz,
      unique (endpoint_id, webhook_id),
      foreign key (company_id, endpoint_id) references webhooks (company_id, id) on delete cascade
    )`.execute(db);
  await sql`create index webhook_deliveries_of on webhook_deliveries (company_id, endpoint_id, id desc)`.execute(db);
  await sql`
    create index webhook_deliveries_by_state on webhook_deliveries (company_id, endpoint_id, state, id desc)`.execute(
    db,
  );
  await sql`create index webhook_deliveries_by_age on webhook_deliveries (created_at)`.execute(db);
  await protect(db, "webhook_deliveries", { system: "all" });
  await createTrigger(db);
}

async function createTrigger(db: Kysely<unknown>) {
  await sql`
    create function queue_webhook_event() returns trigger language plpgsql as $$
    begin
      if exists (select from webhooks w where w.company_id = new.company_id and w.is_active) then
        insert into webhook_events (company_id, type, payload) values (new.company_id, new.type, new.payload);
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger event_log_webhooks after insert on event_log for each row
    when (new.type in ('message.created', 'message.updated', 'ticket.updated', 'ticket.deleted', 'contact.created',
      'contact.updated', 'contact.deleted', 'connection.created', 'connection.updated', 'connection.state',
      'connection.deleted'))
    execute function queue_webhook_event()`.execute(db);
}
