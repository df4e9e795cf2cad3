import type { Ctx } from "#server/platform/ctx.ts";

export const START_TASK = "campaigns.start";
export const DISPATCH_TASK = "campaigns.dispatch";
export const TEND_TASK = "campaigns.tend";
export const ANSWER_TASK = "campaigns.answer";
export const PUBLISH_TASK = "campaigns.publish";

/** Nobody else would do the work of these jobs, so they are tried until it is done. */
const maxAttempts = 100;

/** Enqueues the start of a scheduled campaign. By its key a change of the time replaces the waiting job. */
export function enqueueStart(ctx: Ctx, campaignId: number, at: Date): void {
  const key = `campaign-start:${campaignId}`;
  ctx.enqueue({ task: START_TASK, payload: { campaignId }, key, runAt: at, priority: "notice", maxAttempts });
}

/** Enqueues the next pass over the lines of a campaign, at the time that the pass before it has found. */
export function enqueueDispatch(ctx: Ctx, campaignId: number, at: Date): void {
  const key = `campaign-pass:${campaignId}`;
  ctx.enqueue({ task: DISPATCH_TASK, payload: { campaignId }, key, runAt: at, priority: "bulk", maxAttempts });
}

/**
 * Enqueues a pass at once: a line was set going. Not under the key of the next pass, whose time a pass that is under way and has
 * not seen that line would set later again.
 */
export function enqueueDispatchNow(ctx: Ctx, campaignId: number): void {
  const key = `campaign-pass-now:${campaignId}`;
  ctx.enqueue({ task: DISPATCH_TASK, payload: { campaignId }, key, priority: "bulk", maxAttempts });
}

/** Enqueues the look after a campaign that is being sent. */
export function enqueueTend(ctx: Ctx, campaignId: number, at: Date): void {
  const key = `campaign-tend:${campaignId}`;
  ctx.enqueue({ task: TEND_TASK, payload: { campaignId }, key, runAt: at, priority: "bulk", maxAttempts });
}

/** Enqueues the message to a contact who has agreed: they wait for it. */
export function enqueueAnswer(ctx: Ctx, recipientId: number): void {
  ctx.enqueue({ task: ANSWER_TASK, payload: { recipientId }, priority: "bot", maxAttempts });
}

const publishEveryMs = 2_000;

/** When results that come in now are published: at most once in two seconds. */
export function publishAt(now: Date): Date {
  return new Date((Math.floor(now.getTime() / publishEveryMs) + 1) * publishEveryMs);
}

/** Enqueues the publication of a campaign's results: the waiting job has the same time however often results come in. */
export function enqueuePublish(ctx: Ctx, campaignId: number): void {
  const runAt = publishAt(ctx.now());
  const key = `campaign-publish:${campaignId}`;
  ctx.enqueue({ task: PUBLISH_TASK, payload: { campaignId }, key, runAt, priority: "bulk" });
}
