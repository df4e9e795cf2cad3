import { z } from "zod";
import { companyServiceOf } from "#server/features/companies/index.ts";
import { enqueueNumberCheck, importProgressOf } from "#server/features/contact-lists/index.ts";
import { planOf } from "#server/features/plans/index.ts";
import { recordAudit } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { campaignEvent } from "../campaigns.events.ts";
import { enqueueDispatchNow, enqueueStart, enqueueTend } from "../campaigns.jobs.ts";
import {
  awaitsImport,
  endImportWait,
  findCampaign,
  findLineIds,
  findLockedCampaign,
  lockCampaign,
  saveState,
} from "../campaigns.queries.ts";
import type { CampaignRow, StoredCampaign } from "../campaigns.queries.ts";
import { isDue, stateAfter } from "../campaigns.state.ts";
import { isComplete, requireComplete } from "../edit/index.ts";
import { awaitImport, copyListItems, copyTaggedContacts, hasRecipientIn, openLines } from "./start.queries.ts";
import { tendEveryMs } from "./tend-campaign.ts";

const payload = z.object({ campaignId: z.number().int() });

/** A company that is not served sends nothing: its campaigns wait, and are looked at again after this time. */
const unservedRetryMs = 5 * 60_000;
/** The rest of an import would be left out by a campaign that starts meanwhile: it looks again after this time (ms). */
const importRetryMs = 15_000;
/** How late it starts for that at most (ms), should an import hang. */
const importWaitMs = 30 * 60_000;

/**
 * Job: starts a campaign at its time, or as soon as possible after it (behaviour 7). Its contacts are copied, so that what
 * becomes of list and tag does not change who gets it; a list that is being imported is waited for. One that lost its line or its
 * contacts meanwhile is inactive again, and so is one whose import did not end: whoever cancelled it did not mean part of the file.
 */
export const startCampaign: JobHandler = async (job, { inCompany }) => {
  const { campaignId } = payload.parse(job.payload);
  await inCompany(
    async (ctx) => {
      const campaign = await findLockedCampaign(ctx, campaignId);
      if (campaign?.status === "PROGRAMADA" && campaign.scheduled_at) {
        await startOrWait(ctx, campaign, campaign.scheduled_at);
      }
    },
    { retry: true },
  );
};

async function startOrWait(ctx: Ctx, campaign: StoredCampaign, scheduledAt: Date): Promise<void> {
  const now = ctx.now();
  if (!isDue({ status: campaign.status, scheduledAt }, now)) {
    enqueueStart(ctx, campaign.id, scheduledAt);
    return;
  }
  if (!(await isServed(ctx))) {
    enqueueStart(ctx, campaign.id, new Date(now.getTime() + unservedRetryMs));
    return;
  }
  const canStart = isComplete(campaign, await findLineIds(ctx, campaign.id));
  const next = canStart ? await decideByImport(ctx, campaign, scheduledAt) : "deactivate";
  if (next === "wait") {
    return;
  }
  if (next === "start") {
    await start(ctx, campaign);
  } else {
    await saveState(ctx, campaign.id, { status: "INATIVA", scheduled_at: null });
    await endImportWait(ctx, campaign.id);
  }
  ctx.emit(campaignEvent("updated", campaign.id));
}

/** Enqueues the start for later (`wait`) while rows of a file are still being added to the list. */
async function decideByImport(
  ctx: Ctx,
  { id, contact_list_id: listId }: StoredCampaign,
  scheduledAt: Date,
): Promise<"start" | "wait" | "deactivate"> {
  const progress = listId === null ? "complete" : await importProgressOf(ctx, listId);
  if (progress === "partial" && (await awaitsImport(ctx, id))) {
    return "deactivate";
  }
  const until = new Date(scheduledAt.getTime() + importWaitMs);
  if (progress !== "running" || until <= ctx.now()) {
    return "start";
  }
  enqueueStart(ctx, id, new Date(ctx.now().getTime() + importRetryMs));
  if (await awaitImport(ctx, id, until)) {
    ctx.emit(campaignEvent("updated", id));
  }
  return "wait";
}

/** Whether the company is neither switched off nor overdue, and its plan has campaigns still. */
export async function isServed(ctx: Ctx): Promise<boolean> {
  const [{ isActive, endsAt }, plan] = await Promise.all([companyServiceOf(ctx), planOf(ctx)]);
  return isActive && (endsAt === null || endsAt > ctx.now()) && (plan?.useCampaigns ?? true);
}

async function start(ctx: Ctx, { id, name, contact_list_id, tag_id }: StoredCampaign): Promise<void> {
  if (contact_list_id !== null) {
    await copyListItems(ctx, id, contact_list_id);
  } else if (tag_id !== null) {
    await copyTaggedContacts(ctx, id, tag_id);
  }
  await saveState(ctx, id, { status: "EM_ANDAMENTO", started_at: ctx.now() });
  await recordAudit(ctx, { action: "campaign.started", target: { type: "campaign", id, name } });
  await run(ctx, id, contact_list_id);
}

/** Has the numbers checked that were not, makes the lines due, and enqueues what sends the campaign and what looks after it. */
async function run(ctx: Ctx, id: number, contactListId: number | null): Promise<void> {
  if (contactListId !== null && (await hasRecipientIn(ctx, id, ["unchecked"]))) {
    await enqueueNumberCheck(ctx, contactListId);
  }
  await openLines(ctx, id);
  enqueueDispatchNow(ctx, id);
  enqueueTend(ctx, id, new Date(ctx.now().getTime() + tendEveryMs));
}

/** Stops a campaign that is being sent; a message that is stored already still goes out. ERR_CAMPAIGN_NOT_RUNNING. */
export async function cancelCampaign(ctx: Ctx, id: number): Promise<CampaignRow> {
  const { status, name } = await lockCampaign(ctx, id);
  const next = stateAfter(status, "cancel");
  if (!next) {
    throw new AppError("ERR_CAMPAIGN_NOT_RUNNING", { campaignId: id, status });
  }
  await saveState(ctx, id, { status: next });
  await recordAudit(ctx, { action: "campaign.cancelled", target: { type: "campaign", id, name } });
  ctx.emit(campaignEvent("updated", id));
  return findCampaign(ctx, id);
}

/**
 * Goes on with a cancelled campaign where it stopped, at its pace: nobody gets it twice. ERR_CAMPAIGN_NOT_CANCELLED,
 * ERR_VALIDATION where nothing is left to send or to send by.
 */
export async function restartCampaign(ctx: Ctx, id: number): Promise<CampaignRow> {
  const campaign = await lockCampaign(ctx, id);
  const next = stateAfter(campaign.status, "restart");
  if (!next) {
    throw new AppError("ERR_CAMPAIGN_NOT_CANCELLED", { campaignId: id, status: campaign.status });
  }
  const lineIds = await findLineIds(ctx, id);
  requireComplete(campaign, lineIds, "message");
  if (lineIds.length === 0) {
    throw new AppError("ERR_VALIDATION", { fields: { whatsappId: "Required" } });
  }
  await saveState(ctx, id, { status: next });
  await recordAudit(ctx, {
    action: "campaign.started",
    target: { type: "campaign", id, name: campaign.name },
    details: { again: true },
  });
  await run(ctx, id, campaign.contact_list_id);
  ctx.emit(campaignEvent("updated", id));
  return findCampaign(ctx, id);
}
