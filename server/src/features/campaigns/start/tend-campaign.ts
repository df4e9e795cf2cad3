import { campaignRules } from "@prosa/contract";
import { z } from "zod";
import { resumeNumberCheck } from "#server/features/contact-lists/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { campaignEvent } from "../campaigns.events.ts";
import { enqueueDispatchNow, enqueuePublish, enqueueTend } from "../campaigns.jobs.ts";
import { findLockedCampaign, findStatus, saveState } from "../campaigns.queries.ts";
import { stateAfter } from "../campaigns.state.ts";
import {
  endQuestions,
  failLostMessages,
  findListOfRunning,
  findRunningOfList,
  hasDueLine,
  hasRecipientIn,
  takeCheckedNumbers,
} from "./start.queries.ts";

/** Milliseconds between two looks after a campaign that is being sent. */
export const tendEveryMs = 60_000;

/** States that are no final result: the campaign goes on (behaviour 7). */
const openStates = ["unchecked", "waiting", "asked", "agreed", "queued"] as const;

const payload = z.object({ campaignId: z.number().int() });

/**
 * Job, once a minute while a campaign is being sent: takes over checked numbers, ends requests for confirmation that nobody
 * answered within a day, and ends the campaign if nothing is left. Lines that should be busy and are not are set going, and so
 * is a check of numbers that gave up.
 */
export const tendCampaign: JobHandler = async (job, { inCompany }) => {
  const { campaignId } = payload.parse(job.payload);
  await inCompany((ctx) => tend(ctx, campaignId), { retry: true });
  // A transaction of its own: whoever deletes a list locks it before the contacts of its campaigns.
  await inCompany((ctx) => resumeCheck(ctx, campaignId), { retry: true });
  await inCompany((ctx) => finishIfDone(ctx, campaignId), { retry: true });
};

/** The numbers of a list were checked: campaigns that wait for them go on at once. */
export async function tendCampaignsOfList(ctx: Ctx, contactListId: number): Promise<void> {
  for (const id of await findRunningOfList(ctx, contactListId)) {
    enqueueTend(ctx, id, ctx.now());
  }
}

async function tend(ctx: Ctx, id: number): Promise<void> {
  if ((await findStatus(ctx, id)) !== "EM_ANDAMENTO") {
    return;
  }
  await moveOn(ctx, id);
  if (await hasDueLine(ctx, id)) {
    enqueueDispatchNow(ctx, id);
  }
  enqueueTend(ctx, id, new Date(ctx.now().getTime() + tendEveryMs));
}

/** Nobody else would start a check again that gave up, and the campaign would wait for its numbers without end. */
async function resumeCheck(ctx: Ctx, id: number): Promise<void> {
  const listId = await findListOfRunning(ctx, id);
  if (listId !== undefined && (await hasRecipientIn(ctx, id, ["unchecked"]))) {
    await resumeNumberCheck(ctx, listId);
  }
}

async function moveOn(ctx: Ctx, id: number): Promise<void> {
  const unansweredSince = new Date(ctx.now().getTime() - campaignRules.answerWithinMs);
  const moved = [
    await takeCheckedNumbers(ctx, id),
    await endQuestions(ctx, id, unansweredSince),
    await failLostMessages(ctx, id),
  ];
  if (moved.includes(true)) {
    enqueuePublish(ctx, id);
  }
}

/**
 * Ends a campaign when every contact has a final result. In a transaction of its own, behind the one that brought the last
 * result: the campaign is locked first, so that of two last results the later one is told.
 */
export async function finishIfDone(ctx: Ctx, id: number): Promise<void> {
  const campaign = await findLockedCampaign(ctx, id);
  const next = campaign && stateAfter(campaign.status, "finish");
  if (next && !(await hasOpenRecipients(ctx, id))) {
    await saveState(ctx, id, { status: next, completed_at: ctx.now() });
    ctx.emit(campaignEvent("updated", id));
  }
}

/** Has any contact no final result yet? */
export function hasOpenRecipients(ctx: Ctx, id: number): Promise<boolean> {
  return hasRecipientIn(ctx, id, openStates);
}
