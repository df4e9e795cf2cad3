import { z } from "zod";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { enqueuePublish } from "../campaigns.jobs.ts";
import { finishIfDone, hasOpenRecipients } from "../start/index.ts";
import { trackMessages } from "./track.queries.ts";

const payload = z.object({ messageIds: z.array(z.number().int()), at: z.iso.datetime() });

/**
 * Job: brings what became of campaign messages to the results of their campaigns (K-07), and ends those that have them all.
 * It reads the messages as they are now, so it may run late and twice.
 */
export const trackDelivery: JobHandler = async (job, { inCompany }) => {
  const { messageIds, at } = payload.parse(job.payload);
  const done = await inCompany(
    async (ctx) => {
      const changed = await trackMessages(ctx, messageIds, new Date(at));
      const finished: number[] = [];
      for (const { campaignId, isFinal } of changed) {
        enqueuePublish(ctx, campaignId);
        if (isFinal && !(await hasOpenRecipients(ctx, campaignId))) {
          finished.push(campaignId);
        }
      }
      return finished;
    },
    { retry: true },
  );
  for (const campaignId of done) {
    await inCompany((ctx) => finishIfDone(ctx, campaignId), { retry: true });
  }
};
