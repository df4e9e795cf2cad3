import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/**
 * Access of the operator as support (V-01, decision 0225): consents and requests, and the sessions under them. Written by
 * the machinery only, so that no request, a support session's least of all, can grant itself anything.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table support_grants (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      -- null: an admin consented without being asked
      -- no foreign key, as below: the person is of the operator's company, and the entry outlives them
      asked_by int,
      asked_by_name text,
      asked_at timestamptz,
      reason text not null default '',
      granted_by int,
      granted_by_name text,
      granted_at timestamptz,
      until timestamptz,
      ended_at timestamptz,
      foreign key (company_id, granted_by) references users (company_id, id) on delete set null (granted_by),
      unique (company_id, id),
      check ((granted_at is null) = (until is null)),
      check (asked_at is not null or granted_at is not null)
    )`.execute(db);
  await sql`create unique index support_grants_consent on support_grants (company_id)
    where granted_at is not null and ended_at is null`.execute(db);
  await sql`create unique index support_grants_request on support_grants (company_id)
    where granted_at is null and ended_at is null`.execute(db);
  await sql`create index support_grants_of_company on support_grants (company_id, id desc)`.execute(db);
  await sql`create index support_grants_granted_by on support_grants (company_id, granted_by)
    where granted_by is not null`.execute(db);
  await protect(db, "support_grants", { system: "all", app: "read" });

  await sql`
    create table support_sessions (
      id uuid primary key,
      -- the company that is entered
      company_id int not null references companies on delete cascade,
      grant_id int not null,
      operator_id int not null,
      operator_name text not null,
      -- with the operator's own session this one ends
      home_session_id uuid not null,
      began_at timestamptz not null,
      ended_at timestamptz,
      foreign key (company_id, grant_id) references support_grants (company_id, id) on delete cascade
    )`.execute(db);
  await sql`create unique index support_sessions_live on support_sessions (home_session_id) where ended_at is null`.execute(
    db,
  );
  await sql`create index support_sessions_of_company on support_sessions (company_id) where ended_at is null`.execute(
    db,
  );
  await sql`create index support_sessions_of_grant on support_sessions (company_id, grant_id)`.execute(db);
  await protect(db, "support_sessions", { system: "all", app: "read" });
}
