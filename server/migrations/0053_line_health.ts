import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** The health of a line: what WhatsApp limits it to, what it signalled, and the sums of each day (decision 0193). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Since when the line has its number; null for the lines of before, which count as old.
  await sql`alter table connections add column linked_at timestamptz`.execute(db);
  await sql`
    create table line_limits (
      connection_id int primary key,
      company_id int not null references companies on delete cascade,
      new_chats_locked boolean not null default false,
      -- an end that WhatsApp does not say is assumed, so that nothing stays locked for ever
      new_chats_locked_until timestamptz,
      lock_cause text,
      quota_level text not null default 'none',
      quota_used int,
      quota_total int,
      quota_until timestamptz,
      updated_at timestamptz not null,
      check (not new_chats_locked or new_chats_locked_until is not null),
      check (quota_level <> 'capped' or quota_until is not null),
      foreign key (company_id, connection_id) references connections (company_id, id) on delete cascade
    )`.execute(db);
  await protect(db, "line_limits");

  await sql`
    create table line_signals (
      id bigint generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      connection_id int not null,
      kind text not null,
      detail text,
      at timestamptz not null,
      foreign key (company_id, connection_id) references connections (company_id, id) on delete cascade
    )`.execute(db);
  await sql`create index line_signals_recent on line_signals (connection_id, at)`.execute(db);
  await protect(db, "line_signals", { system: "all" });

  await sql`
    create table line_days (
      connection_id int not null,
      -- in the company's time zone
      day date not null,
      company_id int not null references companies on delete cascade,
      started int not null default 0,
      refused int not null default 0,
      failed int not null default 0,
      disconnected int not null default 0,
      primary key (connection_id, day),
      foreign key (company_id, connection_id) references connections (company_id, id) on delete cascade
    )`.execute(db);
  await protect(db, "line_days", { system: "all" });
}
