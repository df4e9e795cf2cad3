import { sql } from "kysely";
import type { Kysely } from "kysely";
import { SYSTEM_ROLE } from "#server/platform/db/migration-helpers.ts";

/**
 * What each stored message and each change of a ticket cost beside their own rows (decision 0294): PostgreSQL parses the condition of a
 * trigger anew in each statement, and each foreign key is a query of its own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await replaceTicketTriggers(db);
  await replaceTextTrigger(db);
  // A message names its contact and its ticket together with the company, which therefore exists. Tickets keep the key: they must go with their
  // company before its users do, who would leave them open without an owner.
  await sql`alter table messages drop constraint messages_company_id_fkey`.execute(db);
}

/** As 0046 and 0055, in one function that looks for itself whether there is anything to do. */
async function replaceTicketTriggers(db: Kysely<unknown>) {
  await sql`
    create function follow_ticket_change() returns trigger language plpgsql as $$
    declare
      has_moved boolean := old.status <> new.status or old.queue_id is distinct from new.queue_id;
    begin
      if has_moved or old.user_id is distinct from new.user_id
        or date_bin('1 hour', old.last_message_at, 'epoch') is distinct from date_bin('1 hour', new.last_message_at, 'epoch')
        or date_bin('1 hour', old.waiting_since, 'epoch') is distinct from date_bin('1 hour', new.waiting_since, 'epoch')
      then
        update ticket_tags set status = new.status, queue_id = new.queue_id, user_id = new.user_id,
          last_hour = hour_of(new.last_message_at), wait_rank = wait_rank_of(new.waiting_since, new.last_message_at)
        where ticket_id = new.id;
      end if;
      if has_moved and (old.status <> 'closed' or new.status <> 'closed') then
        perform from companies c where c.id = new.company_id;
        if not found then
          return null; -- it is being deleted
        end if;
        if new.queue_id is not distinct from old.queue_id then
          insert into ticket_counts (company_id, queue_id, open, pending)
          values (new.company_id, coalesce(new.queue_id, 0), (new.status = 'open')::int - (old.status = 'open')::int,
            (new.status = 'pending')::int - (old.status = 'pending')::int);
        else
          insert into ticket_counts (company_id, queue_id, open, pending)
          select new.company_id, coalesce(t.queue_id, 0), t.n * (t.status = 'open')::int, t.n * (t.status = 'pending')::int
          from (values (old.status, old.queue_id, -1), (new.status, new.queue_id, 1)) t (status, queue_id, n)
          where t.status in ('open', 'pending');
        end if;
        if random() < 1.0 / 32 then
          perform fold_ticket_counts(new.company_id);
        end if;
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger tickets_followed after update of status, queue_id, user_id, last_message_at, waiting_since on tickets
    for each row execute function follow_ticket_change()`.execute(db);
  await sql`drop trigger tickets_tags_follow on tickets`.execute(db);
  await sql`drop trigger tickets_recounted on tickets`.execute(db);
  await sql`drop function follow_ticket()`.execute(db);
}

async function replaceTextTrigger(db: Kysely<unknown>) {
  // The same keys as before, without a query; the index sorts them and leaves out what is there twice.
  await sql`
    create or replace function message_word_keys(company_id int, text text) returns bigint[]
    language plpgsql immutable parallel safe
    as $$
    declare
      word text;
      keys bigint[];
    begin
      foreach word in array string_to_array(translate(text, E'\\t\\n\\r', '   '), ' ') loop
        if length(word) > 1000 then
          return (select array_agg(public.word_key(company_id, w.word)) from public.words_of(text) w (word));
        end if;
        if word <> '' then
          keys := keys || hashtextextended(word, company_id);
        end if;
      end loop;
      return keys;
    end $$`.execute(db);
  // Only its owner may replace a function, and who migrates need be no more than allowed to take that role.
  await sql`grant create on schema public to ${sql.id(SYSTEM_ROLE)}`.execute(db);
  await sql`set local role ${sql.id(SYSTEM_ROLE)}`.execute(db);
  // As in 0078: the words of most messages are all known, which one look-up tells.
  await sql`
    create or replace function follow_message_text() returns trigger
    language plpgsql security definer set search_path = public
    as $$
    declare
      folded_text text;
      keys bigint[];
    begin
      if tg_op <> 'INSERT' then
        delete from message_texts where ticket_id = old.ticket_id and message_id = old.id;
      elsif new.body = '' or current_setting('app.texts_later', true) = 'on' then
        return null;
      end if;
      if tg_op <> 'DELETE' and (new.body <> '' or new.transcript <> '') and not new.is_deleted then
        folded_text := folded(concat_ws(' ', nullif(new.body, ''), nullif(new.transcript, '')));
        insert into message_texts (company_id, ticket_id, message_id, text)
        values (new.company_id, new.ticket_id, new.id, folded_text);
        keys := message_word_keys(new.company_id, folded_text);
        if cardinality(keys) > 64
          or not keys <@ coalesce((select array_agg(m.key) from message_words m where m.key = any(keys)), '{}')
        then
          insert into message_words (company_id, key, word)
          select new.company_id, word_key(new.company_id, w.word), w.word from words_of(folded_text) w (word)
          where not exists (
            select from message_words m where m.key = word_key(new.company_id, w.word) and m.word = w.word);
        end if;
      end if;
      return null;
    end $$`.execute(db);
  await sql`reset role`.execute(db);
  await sql`revoke create on schema public from ${sql.id(SYSTEM_ROLE)}`.execute(db);
  await sql`
    create or replace trigger message_text_new after insert on messages
    for each row execute function follow_message_text()`.execute(db);
}
