import type { ConnectionStatus } from "@prosa/contract/connections";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db } from "#server/platform/db/index.ts";

export interface DatabaseFacts {
  readonly version: string;
  readonly encoding: string;
  readonly locale: string;
  /** Of the database's clock, ms since 1970. */
  readonly nowMs: number;
  readonly maxConnections: number;
  readonly connections: number;
  readonly randomPageCost: number;
  readonly bytes: number;
}

/** The locale of ICU has another column before PostgreSQL 17. */
export async function readDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version') as version, pg_encoding_to_char(encoding) as encoding,
      case when datlocprovider = 'c' then datctype
        else coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale') end as locale,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs",
      current_setting('max_connections')::int as "maxConnections",
      (select sum(numbackends) from pg_stat_database)::int as connections,
      current_setting('random_page_cost')::float8 as "randomPageCost", pg_database_size(d.oid)::float8 as bytes
    from pg_database d where datname = current_database()`.execute(db.system);
  return rows[0]!;
}

export interface WorkFacts {
  readonly deadJobs: number;
  /**
   * Seconds that the oldest due job has waited which any worker may run, since it was enqueued at the most; null: none is due. Those of a
   * line wait for the line.
   */
  readonly oldestDueSeconds: number | null;
}

export async function readWorkFacts(db: Db): Promise<WorkFacts> {
  const { rows } = await sql<WorkFacts>`
    select (select count(*) from jobs where state = 'dead')::int as "deadJobs",
      (select extract(epoch from now() - min(greatest(run_at, created_at)))::float8 from jobs
       where state = 'live' and leased_until is null and affinity is null and run_at < now()) as "oldestDueSeconds"`.execute(
    db.system,
  );
  return rows[0]!;
}

/** Lines by state, over all companies. */
export async function countLines(db: Db): Promise<{ readonly status: ConnectionStatus; readonly count: number }[]> {
  const { rows } = await sql<{ status: ConnectionStatus; count: number }>`
    select status, count(*)::int as count from connections group by status order by status`.execute(db.system);
  return rows;
}

export async function findEmail(ctx: Ctx, userId: number): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    select email from users where company_id = ${ctx.companyId} and id = ${userId}`.execute(ctx.db);
  return rows[0]?.email;
}
