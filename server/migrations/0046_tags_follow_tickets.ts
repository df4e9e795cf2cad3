import { sql } from "kysely";
import type { Kysely } from "kysely";
import { buildIndexConcurrently, inEachCompany } from "#server/platform/db/migration-helpers.ts";

/**
 * Each tag of a ticket carries what lists by tag are ordered and narrowed by (decision 0180), so that a page is an index range
 * of the tag. Triggers keep it, whoever writes. They come before the rows that exist are filled, so that none is missed.
 */
export async function prepare(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ticket_tags
      add column if not exists status text,
      add column if not exists queue_id int,
      add column if not exists user_id int,
      add column if not exists last_hour int,
      add column if not exists wait_rank int`.execute(db);
  await createFunctions(db);
  await createTriggers(db);
  await inEachCompany(db, (company) =>
    sql`
      update ticket_tags x set status = t.status, queue_id = t.queue_id, user_id = t.user_id,
        last_hour = hour_of(t.last_message_at), wait_rank = wait_rank_of(t.waiting_since, t.last_message_at)
      from tickets t where t.id = x.ticket_id and x.status is null`.execute(company),
  );
  await createIndexes(db);
}

/** Its lists begin with the tag, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index ticket_tags_tag`.execute(db);
}

async function createFunctions(db: Kysely<unknown>) {
  // Hours, so that a message changes tags once an hour and not each time.
  await sql`
    create or replace function hour_of(timestamptz) returns int language sql stable strict parallel safe
    return floor(extract(epoch from $1) / 3600)::int`.execute(db);
  // The order of those who wait, longest first; behind them, newest first, those who do not.
  await sql`
    create or replace function wait_rank_of(waiting timestamptz, last timestamptz) returns int
    language sql stable parallel safe
    return coalesce(hour_of(waiting), 2000000000 - hour_of(last))`.execute(db);
  await sql`
    create or replace function follow_ticket() returns trigger language plpgsql as $$
    begin
      update ticket_tags set status = new.status, queue_id = new.queue_id, user_id = new.user_id,
        last_hour = hour_of(new.last_message_at), wait_rank = wait_rank_of(new.waiting_since, new.last_message_at)
      where ticket_id = new.id;
      return null;
    end $$`.execute(db);
  // The lock: a change of the ticket that is under way would not see this row, nor this the change.
  await sql`
    create or replace function tag_ticket() returns trigger language plpgsql as $$
    begin
      select t.status, t.queue_id, t.user_id, hour_of(t.last_message_at), wait_rank_of(t.waiting_since, t.last_message_at)
      into new.status, new.queue_id, new.user_id, new.last_hour, new.wait_rank
      from tickets t where t.id = new.ticket_id for no key update;
      return new;
    end $$`.execute(db);
}

async function createTriggers(db: Kysely<unknown>) {
  await sql`
    create or replace trigger ticket_tags_filled before insert on ticket_tags
    for each row execute function tag_ticket()`.execute(db);
  const isOtherHour = (column: string) =>
    sql.raw(`date_bin('1 hour', old.${column}, 'epoch') is distinct from date_bin('1 hour', new.${column}, 'epoch')`);
  await sql`
    create or replace trigger tickets_tags_follow
    after update of status, queue_id, user_id, last_message_at, waiting_since on tickets for each row
    when (old.status is distinct from new.status or old.queue_id is distinct from new.queue_id
      or old.user_id is distinct from new.user_id
      or ${isOtherHour("last_message_at")} or ${isOtherHour("waiting_since")})
    execute function follow_ticket()`.execute(db);
}

/** As the indexes of tickets; the counts read nothing else. */
async function createIndexes(db: Kysely<unknown>) {
  const index = (name: string, columns: string) =>
    buildIndexConcurrently(db, name, sql`index`, sql.raw(`on ticket_tags ${columns}`));
  const counted = "include (ticket_id, company_id)";
  await index("ticket_tags_list", `(tag_id, status, last_hour desc) ${counted}`);
  await index("ticket_tags_of_queue", `(tag_id, status, queue_id, last_hour desc) ${counted}`);
  await index(
    "ticket_tags_of_user",
    "(tag_id, user_id, status, last_hour desc) include (ticket_id, company_id, queue_id) where user_id is not null",
  );
  await index("ticket_tags_waiting", "(tag_id, status, wait_rank) where status <> 'closed'");
  await index("ticket_tags_waiting_of_queue", "(tag_id, status, queue_id, wait_rank) where status <> 'closed'");
}
