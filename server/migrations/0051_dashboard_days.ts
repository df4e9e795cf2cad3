import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/**
 * Sums of the episodes that finished on days that are over, and marks of what changed since (decision 0185). A job of the
 * dashboard fills them; until then everything is counted from the episodes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table kept_days (
      company_id int not null references companies on delete cascade,
      -- the midnights of the company; counted from the episodes of since <= finished_at < until
      since timestamptz not null,
      until timestamptz not null,
      -- one, or a block of eight
      days int not null,
      time_zone text not null,
      finished int not null,
      started int not null,
      support_us bigint not null,
      wait_us bigint not null,
      primary key (company_id, days, since)
    )`.execute(db);
  await sql`
    create table kept_day_users (
      company_id int not null,
      days int not null,
      since timestamptz not null,
      -- null: nobody; without a foreign key: who deletes a user changes the episodes, which marks the days
      user_id int,
      finished int not null,
      started int not null,
      support_us bigint not null,
      wait_us bigint not null,
      ratings int not null,
      rating_sum int not null,
      foreign key (company_id, days, since) references kept_days on delete cascade
    )`.execute(db);
  await sql`
    create index kept_day_users_of on kept_day_users (company_id, days, since)
      include (user_id, finished, started, support_us, wait_us, ratings, rating_sum)`.execute(db);
  await sql`
    create table kept_day_marks (
      company_id int not null references companies on delete cascade,
      -- when an episode finished that was changed later
      at timestamptz not null
    )`.execute(db);
  await sql`create index kept_day_marks_at on kept_day_marks (company_id, at)`.execute(db);
  for (const table of ["kept_days", "kept_day_users", "kept_day_marks"]) {
    await protect(db, table);
  }
  await createTriggers(db);
}

/** What finishes now marks nothing: no day is kept before it has been over for an hour. */
async function createTriggers(db: Kysely<unknown>) {
  await sql`
    create function mark_kept_day() returns trigger language plpgsql as $$
    begin
      insert into kept_day_marks (company_id, at)
      select c.id, changed.at
      from (select distinct at from unnest(array[old.finished_at, new.finished_at]) at) changed
      join companies c on c.id = coalesce(new.company_id, old.company_id) -- none while it is deleted
      where changed.at < now() - interval '5 minutes';
      return null;
    end $$`.execute(db);
  await sql`
    create trigger episodes_mark_insert after insert on episodes for each row
    when (new.finished_at < now() - interval '5 minutes') execute function mark_kept_day()`.execute(db);
  await sql`
    create trigger episodes_mark_delete after delete on episodes for each row
    when (old.finished_at < now() - interval '5 minutes') execute function mark_kept_day()`.execute(db);
  await sql`
    create trigger episodes_mark_update after update on episodes for each row
    when (least(old.finished_at, new.finished_at) < now() - interval '5 minutes'
      and (old.finished_at, old.started_at, old.queued_at, old.user_id, old.rating)
        is distinct from (new.finished_at, new.started_at, new.queued_at, new.user_id, new.rating))
    execute function mark_kept_day()`.execute(db);
}
