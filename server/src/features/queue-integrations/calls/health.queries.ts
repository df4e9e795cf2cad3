import type { ListedIntegration } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** How the calls of an integration went. */
export interface IntegrationHealth {
  readonly lastWorkedAt: Date | null;
  readonly failure: { readonly error: string; readonly since: Date } | null;
  readonly remark: ListedIntegration["remark"];
}

interface HealthRow {
  readonly integrationId: number;
  readonly lastWorkedAt: Date | null;
  readonly remark: string | null;
  readonly error: string | null;
  readonly since: Date | null;
}

/** Each look is one row of the index `integration_calls_by_outcome`, however many calls there were. */
const HEALTH: Statement<HealthRow> = {
  name: "integration_health",
  text: `select i.id as "integrationId", worked.answered_at as "lastWorkedAt", worked.error as remark, failed.error,
      case when failed.answered_at is not null then (
        select c.answered_at from integration_calls c
        where c.company_id = $1 and c.integration_id = i.id and c.state = 'failed'
          and c.answered_at > coalesce(worked.answered_at, '-infinity')
        order by c.answered_at limit 1) end as since
    from unnest($2::int[]) as i(id)
    left join lateral (
      select c.answered_at, c.error from integration_calls c
      where c.company_id = $1 and c.integration_id = i.id and c.state = 'delivered' and c.answered_at is not null
      order by c.answered_at desc limit 1) worked on true
    left join lateral (
      select c.answered_at, c.error from integration_calls c
      where c.company_id = $1 and c.integration_id = i.id and c.state = 'failed'
        and c.answered_at > coalesce(worked.answered_at, '-infinity')
      order by c.answered_at desc limit 1) failed on true`,
};

/** By the log of calls, which goes back `integrationRules.keptDays`. */
export async function findHealth(ctx: Ctx, ids: readonly number[]): Promise<ReadonlyMap<number, IntegrationHealth>> {
  const rows = ids.length === 0 ? [] : await ctx.raw(HEALTH, [ctx.companyId, ids]);
  return new Map(
    rows.map(({ integrationId, lastWorkedAt, remark, error, since }) => [
      integrationId,
      { lastWorkedAt, remark, failure: error !== null && since ? { error, since } : null },
    ]),
  );
}
