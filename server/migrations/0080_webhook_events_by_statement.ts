import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * The outbox of the webhooks is filled once a statement and not once an event: a company without an endpoint paid 0.026 ms for
 * the two events of a message, and pays 0.005 now (decision 0230).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger event_log_webhooks on event_log`.execute(db);
  await sql`drop function queue_webhook_event()`.execute(db);
  // The first look sees the company's endpoints alone, or those of all companies where the machinery writes.
  await sql`
    create function queue_webhook_events() returns trigger language plpgsql as $$
    begin
      if exists (select from webhooks w where w.is_active) then
        insert into webhook_events (company_id, type, payload)
        select a.company_id, a.type, a.payload from added a
        where a.type in ('message.created', 'message.updated', 'ticket.updated', 'ticket.deleted', 'contact.created',
            'contact.updated', 'contact.deleted', 'connection.created', 'connection.updated', 'connection.state',
            'connection.deleted')
          and exists (select from webhooks w where w.company_id = a.company_id and w.is_active)
        order by a.id;
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger event_log_webhooks after insert on event_log referencing new table as added
    for each statement execute function queue_webhook_events()`.execute(db);
}
