import type { Ctx } from "#server/platform/ctx.ts";
import { enqueueDispatchNow, enqueuePublish } from "../campaigns.jobs.ts";
import { wakeLines, wakeLinesHeldByRules } from "./dispatch.queries.ts";

/** The state or the limit of a connection changed: its campaigns that waited for it look again at once. */
export async function wakeHeldLines(ctx: Ctx, connectionId: number): Promise<void> {
  lookAgain(ctx, await wakeLines(ctx, connectionId));
}

/** The company's hours or caps changed: its campaigns that waited for them look again at once, and not when the old ones end. */
export async function wakeLinesOfRules(ctx: Ctx): Promise<void> {
  lookAgain(ctx, await wakeLinesHeldByRules(ctx));
}

/** A campaign may be named once for each of its lines. */
function lookAgain(ctx: Ctx, campaignIds: readonly number[]): void {
  for (const campaignId of new Set(campaignIds)) {
    enqueueDispatchNow(ctx, campaignId);
    enqueuePublish(ctx, campaignId);
  }
}
