import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

const ASK_RATING: Statement<never> = {
  name: "episode_ask_rating",
  text: `update episodes set rating_asked_at = $3 where company_id = $1 and id = $2`,
};

/** Records when the contact was asked to rate the episode. */
export async function markRatingAsked(ctx: Ctx, episodeId: number, at: Date): Promise<void> {
  await ctx.raw(ASK_RATING, [ctx.companyId, episodeId, at]);
}

const RATE: Statement<never> = {
  name: "episodes_rate",
  text: `update episodes e set rating = v.rating, rated_at = $3
    from jsonb_to_recordset($2::jsonb) as v(id int, rating int)
    where e.company_id = $1 and e.id = v.id and e.rating is null`,
};

/** Saves ratings; an episode that has one keeps it. */
export async function recordRatings(
  ctx: Ctx,
  ratings: readonly { readonly episodeId: number; readonly rating: 1 | 2 | 3 }[],
): Promise<void> {
  const rows = ratings.map(({ episodeId, rating }) => ({ id: episodeId, rating }));
  await ctx.raw(RATE, [ctx.companyId, JSON.stringify(rows), ctx.now()]);
}
