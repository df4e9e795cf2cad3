import { z } from "zod";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { campaignProgressed } from "../campaigns.events.ts";
import { foldCounts } from "./publish.queries.ts";

const payload = z.object({ campaignId: z.number().int() });

/** Job, at most once in two seconds: publishes the results of a campaign to the browsers. */
export const publishProgress: JobHandler = async (job, { inCompany }) => {
  const { campaignId } = payload.parse(job.payload);
  await inCompany(async (ctx) => {
    await foldCounts(ctx, campaignId);
    ctx.emit(campaignProgressed(campaignId));
  });
};
