import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "../src/platform/db/migration-helpers.ts";

/** The texts of messages, folded, in a table of their own: a search reads nothing else (decision 0082). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists btree_gin schema public`.execute(db);
  await sql`
    create table message_texts (
      company_id int not null,
      ticket_id int not null,
      message_id bigint not null,
      -- never empty; deleted messages have no row
      text text not null,
      primary key (ticket_id, message_id)
    )`.execute(db);
  await protect(db, "message_texts", { app: "read", system: "all" });

  await sql`
    insert into message_texts (company_id, ticket_id, message_id, text)
    select company_id, ticket_id, id, folded(body) from messages where body <> '' and not is_deleted order by id`.execute(
    db,
  );
  // A limit far below the default: who writes the message that fills the waiting list pays for sorting it in.
  await sql`
    create index message_texts_search on message_texts using gin (company_id, text gin_trgm_ops)
    with (gin_pending_list_limit = 512)`.execute(db);

  await followMessages(db);
  await createSearch(db);
  await quickenContacts(db);
}

/**
 * A trigger, because five statements write messages, and ticks and read marks (three writes of an ordinary message) must
 * not pay for it. It runs as the machinery, so that nobody else writes here and a cascade from any table may.
 */
async function followMessages(db: Kysely<unknown>) {
  await sql`
    create function follow_message_text() returns trigger
    language plpgsql security definer set search_path = public
    as $$
    begin
      if tg_op <> 'INSERT' then
        delete from message_texts where ticket_id = old.ticket_id and message_id = old.id;
      end if;
      if tg_op <> 'DELETE' and new.body <> '' and not new.is_deleted then
        insert into message_texts (company_id, ticket_id, message_id, text)
        values (new.company_id, new.ticket_id, new.id, folded(new.body));
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger message_text_new after insert on messages for each row
    when (new.body <> '') execute function follow_message_text()`.execute(db);
  await sql`
    create trigger message_text_changed after update of body, is_deleted, ticket_id on messages for each row
    when ((old.body, old.is_deleted, old.ticket_id) is distinct from (new.body, new.is_deleted, new.ticket_id))
    execute function follow_message_text()`.execute(db);
  await sql`
    create trigger message_text_gone after delete on messages for each row
    when (old.body <> '') execute function follow_message_text()`.execute(db);
}

/**
 * As found_contacts(): the index serves no LIKE under row-level security, so this asks for the company itself (0044). The
 * statement is written for what is asked: a condition that the index does not know would have it read from end to end.
 *
 * `likes` and `beginnings` (regular expressions) are of words that the index knows, `others` are looked at afterwards.
 */
async function createSearch(db: Kysely<unknown>) {
  await sql`
    create function found_messages(likes text[], beginnings text[], others text[], at_most int)
    returns table (ticket_id int, message_id bigint)
    language plpgsql stable parallel safe security definer set search_path = public set enable_seqscan = off
    as $$
    declare
      conditions text;
    begin
      select coalesce(string_agg(condition, ' '), '') into conditions from (
        select format('and x.text like %L', l) from unnest(likes) l
        union all select format('and x.text ~ %L', b) from unnest(beginnings) b
        -- of an expression, which no index has
        union all select format('and concat(x.text) like %L', o) from unnest(others) o) c (condition);
      return query execute format(
        'select x.ticket_id, x.message_id from message_texts x where x.company_id = %s %s limit %s',
        nullif(current_setting('app.company_id', true), '')::int, conditions, at_most);
    end $$`.execute(db);
  await sql`grant create on schema public to prosa_system`.execute(db);
  await sql`alter function found_messages(text[], text[], text[], int) owner to prosa_system`.execute(db);
  await sql`alter function follow_message_text() owner to prosa_system`.execute(db);
  await sql`revoke create on schema public from prosa_system`.execute(db);
  await sql`grant execute on function found_messages(text[], text[], text[], int) to prosa_app`.execute(db);
}

/** The pattern is made in a select of its own, once: it was made anew for every contact that a short term looks at. */
async function quickenContacts(db: Kysely<unknown>) {
  // Only its owner may replace it, and who migrates need be no more than allowed to take that role.
  await sql`grant create on schema public to prosa_system`.execute(db);
  await sql`set local role prosa_system`.execute(db);
  await sql`
    create or replace function found_contacts(term text, at_most int) returns table (id int)
    language sql stable parallel safe security definer set search_path = public
    as $$
      select c.id from contacts c
      where c.company_id = nullif(current_setting('app.company_id', true), '')::int
        and c.search_text like (select '%' || regexp_replace(folded(term), '([%_\\\\])', '\\\\\\1', 'g') || '%')
      limit at_most
    $$`.execute(db);
  await sql`reset role`.execute(db);
  await sql`revoke create on schema public from prosa_system`.execute(db);
}
