import type { Ctx } from "#server/platform/ctx.ts";
import { enqueueDispatchNow, enqueuePublish } from "../campaigns.jobs.ts";
import { wakeLines } from "./dispatch.queries.ts";

/** The state or the limit of a connection changed: its campaigns that waited for it look again at once. */
export async function wakeHeldLines(ctx: Ctx, connectionId: number): Promise<void> {
  for (const campaignId of await wakeLines(ctx, connectionId)) {
    enqueueDispatchNow(ctx, campaignId);
    enqueuePublish(ctx, campaignId);
  }
}
