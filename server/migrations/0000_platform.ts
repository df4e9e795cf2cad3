import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "../src/platform/db/migration-helpers.ts";

/** The machinery's own tables: what happened (event_log), what is to be done (jobs), what ran when (cron_runs). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createEventLog(db);
  await createJobs(db);
  await createCronRuns(db);
}

async function createEventLog(db: Kysely<unknown>) {
  await sql`
    create table event_log (
      id         bigint generated always as identity,
      xid        xid8 not null default pg_current_xact_id(),
      company_id int not null,
      type       text not null,
      payload    jsonb not null,
      created_at timestamptz not null default now(),
      primary key (xid, id)
    )`.execute(db);
  await protect(db, "event_log", { app: "insert", system: "all" });

  // One row. A restore writes a new id, so that cursors of another life of this database are refused.
  await sql`
    create table epoch (
      only_row     boolean primary key default true check (only_row),
      id           text not null default substr(md5(gen_random_uuid()::text), 1, 12),
      pruned_through xid8 not null default '0'
    )`.execute(db);
  await sql`insert into epoch default values`.execute(db);
  await sql`grant select, update on epoch to prosa_system`.execute(db);
}

async function createJobs(db: Kysely<unknown>) {
  // Rows live for moments: what is done must leave the indexes soon, or each claim walks over it.
  await sql`
    create table jobs (
      id           bigint generated always as identity primary key,
      company_id   int,
      task         text not null,
      payload      jsonb not null,
      lane         text,
      affinity     text,
      key          text,
      state        text not null default 'live' check (state in ('live', 'dead')),
      run_at       timestamptz not null,
      attempts     int not null default 0,
      max_attempts int not null,
      leased_by    text,
      leased_until timestamptz,
      last_error   text,
      created_at   timestamptz not null default now(),
      died_at      timestamptz,
      check ((leased_by is null) = (leased_until is null))
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0)`.execute(
    db,
  );
  await sql`create index jobs_free on jobs (run_at, id)
    where state = 'live' and leased_by is null and affinity is null`.execute(db);
  await sql`create index jobs_bound on jobs (affinity, run_at, id)
    where state = 'live' and leased_by is null and affinity is not null`.execute(db);
  await sql`create index jobs_lane on jobs (lane, id) where state = 'live'`.execute(db);
  await sql`create index jobs_leased on jobs (leased_until) where leased_by is not null`.execute(db);
  await sql`create index jobs_dead on jobs (company_id, id) where state = 'dead'`.execute(db);

  // The fence of a lane: whatever two claims saw, one of them fails.
  await sql`create unique index jobs_one_leased_per_lane on jobs (lane) where leased_by is not null`.execute(db);
  await sql`create unique index jobs_one_waiting_per_key on jobs (company_id, key) nulls not distinct
    where key is not null and state = 'live' and leased_by is null`.execute(db);
  await protect(db, "jobs", { system: "all" });
}

async function createCronRuns(db: Kysely<unknown>) {
  await sql`create table cron_runs (name text primary key, slot timestamptz not null)`.execute(db);
  await sql`grant select, insert, update, delete on cron_runs to prosa_system`.execute(db);
}
