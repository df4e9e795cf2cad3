import { z } from "zod";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { enqueuePublish } from "../campaigns.jobs.ts";
import { isServed } from "../start/index.ts";
import { findPlaceOf, lockLine, saveLines, takeAgreedRecipient } from "./dispatch.queries.ts";
import { endFailed, failureOf } from "./failures.ts";
import { writeToRecipients } from "./write-to-recipients.ts";

const answerPayload = z.object({ recipientId: z.number().int() });

interface Agreed {
  readonly campaignId: number;
  readonly connectionId: number;
  readonly recipientId: number;
}

/**
 * Job: sends the message to who has agreed, at once and beside the campaign's pace (K-06). One whose campaign was cancelled
 * meanwhile, or whose company is not served, is the first to be written to when it goes on.
 */
export const answerAgreed =
  (contacts: ContactResolver): JobHandler =>
  async (job, { inCompany }) => {
    const { recipientId } = answerPayload.parse(job.payload);
    const place = await inCompany((ctx) => findPlaceOf(ctx, recipientId));
    if (place?.connectionId == null) {
      return;
    }
    const { campaignId, connectionId } = place;
    try {
      await inCompany((ctx) => answer(ctx, contacts, { campaignId, connectionId, recipientId }), { retry: true });
    } catch (error) {
      const failure = failureOf(error);
      if (!failure) {
        throw error;
      }
      await inCompany((ctx) => endFailed(ctx, campaignId, failure));
    }
  };

async function answer(ctx: Ctx, contacts: ContactResolver, agreed: Agreed): Promise<void> {
  const { campaignId, connectionId, recipientId } = agreed;
  const locked = await lockLine(ctx, campaignId, connectionId);
  if (locked?.campaign.status !== "EM_ANDAMENTO" || !(await isServed(ctx))) {
    return;
  }
  const recipient = await takeAgreedRecipient(ctx, recipientId);
  if (!recipient) {
    return;
  }
  const { campaign, line } = locked;
  const places = [{ line, recipient }];
  const [written] = await writeToRecipients(ctx, { contacts, campaign, isAnswer: true }, places).catch(
    (error: unknown) => {
      throw failureOf(error, places) ?? error;
    },
  );
  if (written?.kind === "messaged") {
    const change = { connectionId, nextAt: null, pause: "same", handed: 0, messaged: 1, recipientId } as const;
    await saveLines(ctx, campaignId, [change]);
  }
  enqueuePublish(ctx, campaignId);
}
