import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

// Rows of others that fold at the same moment are skipped; a reader sees the rows of before or the one of after.
const FOLD: Statement<never> = {
  name: "campaign_fold_counts",
  text: `with pile as materialized (
      select ctid from campaign_counts where company_id = $1 and campaign_id = $2 for update skip locked),
    folded as (
      delete from campaign_counts k using pile where k.ctid = pile.ctid returning k.counted, k.n)
    insert into campaign_counts (company_id, campaign_id, counted, n)
    select $1, $2, counted, sum(n) from folded group by counted having sum(n) <> 0`,
};

/** Sums the rows that triggers have added to a campaign's counts since the last time. */
export async function foldCounts(ctx: Ctx, campaignId: number): Promise<void> {
  await ctx.raw(FOLD, [ctx.companyId, campaignId]);
}
