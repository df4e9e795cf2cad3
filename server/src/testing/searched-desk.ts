import { asOwner } from "./as-owner.ts";
import type { Desk, Person } from "./desk.ts";

/** Ids of the tickets that a search by this person finds, newest first. */
export const finds = (person: Person, text: string, more = "") =>
  person.list(`searchParam=${encodeURIComponent(text)}&showAll=true${more}`);

let messages = 0;

const MANY_MESSAGES = 10_000;

/** Adds a message to the ticket; returns its id. */
export async function addMessage(ticket: { readonly id: number }, body: string, at: Desk): Promise<number> {
  messages += 1;
  const text = body.replaceAll("'", "''");
  const [row] = await at.rows<{ id: string }>(`
    insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, sent_at, body)
    select company_id, id, contact_id, connection_id, 'W${messages}', false, now(), '${text}' from tickets
    where id = ${ticket.id} returning id`);
  return Number(row!.id);
}

/**
 * Tickets of a queue, each with so many messages of a text; the first ones are the newest. Returns their ids. After many
 * messages, what autovacuum does within a minute is done at once: a plan that was made for empty tables takes seconds.
 */
export async function addTickets(
  company: Desk,
  {
    count,
    queueId,
    each,
    text,
    age,
    name = "c",
  }: { count: number; queueId: number; each: number; text: string; age: string; name?: string },
): Promise<number[]> {
  messages += 1;
  const rows = await company.rows<{ id: number }>(`
    with c as (insert into contacts (company_id, name, number)
        select ${company.companyId}, '${name} ' || n, '55${String(messages).padStart(5, "0")}' || n from generate_series(1, ${count}) n returning id),
      t as (insert into tickets (company_id, connection_id, contact_id, queue_id, status, last_message_at)
        select ${company.companyId}, ${company.connectionId}, id, ${queueId}, 'closed', now() - interval '${age}' - id * interval '1 second'
        from c returning id, contact_id),
      m as (insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, sent_at, body)
        select ${company.companyId}, id, contact_id, ${company.connectionId}, 'm' || id || '-' || k, false, now(), '${text}'
        from t, generate_series(1, ${each}) k)
    select id from t order by id`);
  if (count * each > MANY_MESSAGES) {
    await asOwner(company.app.database.url, "analyze message_texts, messages, tickets, contacts");
  }
  return rows.map(({ id }) => id);
}
