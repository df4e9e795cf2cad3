import type { PauseReason } from "@prosa/contract";
import { z } from "zod";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import { RetryLater } from "#server/platform/jobs/index.ts";
import type { JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { enqueueDispatch, enqueuePublish, publishAt } from "../campaigns.jobs.ts";
import { campaignSettingsOf } from "../settings/index.ts";
import { finishIfDone, isServed } from "../start/index.ts";
import {
  advanceLine,
  endRecipient,
  findPlaceOf,
  lockLine,
  pauseLine,
  takeAgreedRecipient,
  takeNextRecipient,
} from "./dispatch.queries.ts";
import type { CampaignLine } from "./dispatch.queries.ts";
import { dueAt, freeAt, gapAfter } from "./pace.ts";
import { RecipientFailure, writeToRecipient } from "./write-to-recipient.ts";
import type { Written } from "./write-to-recipient.ts";

/** A line that is held for a reason without a known end is looked at again after this time (ms); its state wakes it sooner. */
const lookAgainMs = 60_000;
/** Contacts of one step that end without a message, so that a step stays short. */
const maxEnded = 50;

const linePayload = z.object({ campaignId: z.number().int(), connectionId: z.number().int() });

/**
 * Job: writes to the next contact of a campaign by one of its lines, and enqueues the one after it at the campaign's pace (K-05).
 * Each step is one transaction, so a crash leaves it whole or undone; what a crash enqueued twice finds the next contact not
 * due yet. A pause or an outage is not made up for: the pace counts from the last contact.
 */
export const dispatchNext = (contacts: ContactResolver): JobHandler => {
  /** Until when a publication of a campaign waits that this process has enqueued. */
  const publishedAt = new Map<number, Date>();
  return async (job, { inCompany, clock }) => {
    const { campaignId, connectionId } = linePayload.parse(job.payload);
    const now = clock.now();
    // The waiting publication is one row, locked until the commit: the lines of a campaign would write one after the other.
    const isPublished = (publishedAt.get(campaignId) ?? now) > now;
    const publish = (ctx: Ctx) => (isPublished ? undefined : enqueuePublish(ctx, campaignId));
    const tools = { contacts, publish, campaignId, connectionId };
    const step = () => inCompany((ctx) => takeStep(ctx, tools), { retry: true });
    const done = await endingFailures(inCompany, campaignId, step);
    if (done === "went on") {
      publishedAt.set(campaignId, publishAt(now));
    }
    if (done === "failed") {
      await inCompany(async (ctx) => enqueueDispatch(ctx, campaignId, connectionId, ctx.now()));
    } else if (done === "nobody left") {
      publishedAt.delete(campaignId);
      await inCompany((ctx) => finishIfDone(ctx, campaignId), { retry: true });
    }
  };
};

type Step = "stopped" | "waits" | "went on" | "nobody left";

interface StepTools {
  readonly contacts: ContactResolver;
  readonly publish: (ctx: Ctx) => void;
  readonly campaignId: number;
  readonly connectionId: number;
}

async function takeStep(ctx: Ctx, { contacts, publish, campaignId, connectionId }: StepTools): Promise<Step> {
  const line = await lockLine(ctx, campaignId, connectionId);
  if (!line || line.status !== "EM_ANDAMENTO") {
    return "stopped";
  }
  const now = ctx.now();
  const settings = await campaignSettingsOf(ctx);
  const due = dueAt(line.nextAt ?? now, settings, now);
  if (due > now) {
    enqueueDispatch(ctx, campaignId, connectionId, due);
    return "waits";
  }
  const free = freeAt(line.last, settings, now);
  if (free > now) {
    enqueueDispatch(ctx, campaignId, connectionId, free);
    return "waits";
  }
  const reason = await whyNotNow(ctx, line);
  if (reason) {
    return hold(ctx, line, reason, new Date(now.getTime() + lookAgainMs));
  }
  for (let ended = 0; ended < maxEnded; ended += 1) {
    const recipient = await takeNextRecipient(ctx, campaignId);
    if (!recipient) {
      await pauseLine(ctx, line, null, null);
      return "nobody left";
    }
    const written = await writeToRecipient(ctx, { contacts, line, recipient });
    if (written.kind === "hold") {
      return holdByGate(ctx, line, written);
    }
    if (written.kind !== "ended") {
      const nextAt = new Date(ctx.now().getTime() + gapAfter(settings, line.handed + 1, Math.random()));
      await advanceLine(ctx, line, { nextAt, handed: 1, messaged: written.kind === "messaged" ? 1 : 0 });
      enqueueDispatch(ctx, campaignId, connectionId, nextAt);
      publish(ctx);
      return "went on";
    }
    publish(ctx);
  }
  enqueueDispatch(ctx, campaignId, connectionId, now);
  return "went on";
}

/** What holds the line whoever the next contact is. */
async function whyNotNow(ctx: Ctx, line: CampaignLine): Promise<PauseReason | undefined> {
  if (!(await isServed(ctx))) {
    return "company";
  }
  return line.connectionStatus === "CONNECTED" ? undefined : "disconnected";
}

async function hold(ctx: Ctx, line: CampaignLine, reason: PauseReason, until: Date): Promise<Step> {
  await pauseLine(ctx, line, reason, until);
  enqueueDispatch(ctx, line.campaignId, line.connectionId, until);
  if (line.pauseReason !== reason) {
    enqueuePublish(ctx, line.campaignId);
  }
  return "waits";
}

/** The gap between two conversations of the line, whoever started them, is no pause that people should be told of. */
async function holdByGate(ctx: Ctx, line: CampaignLine, held: Extract<Written, { kind: "hold" }>): Promise<Step> {
  const { reason, until } = held;
  if (reason !== "pace") {
    return hold(ctx, line, reason, until);
  }
  await advanceLine(ctx, line, { nextAt: until, handed: 0, messaged: 0 });
  enqueueDispatch(ctx, line.campaignId, line.connectionId, until);
  return "waits";
}

const answerPayload = z.object({ recipientId: z.number().int() });

/**
 * Job: sends the message to who has agreed, at once and beside the campaign's pace (K-06). One whose campaign was cancelled
 * meanwhile is the first to be written to after the restart.
 */
export const answerAgreed =
  (contacts: ContactResolver): JobHandler =>
  async (job, { inCompany }) => {
    const { recipientId } = answerPayload.parse(job.payload);
    const place = await inCompany((ctx) => findPlaceOf(ctx, recipientId));
    if (place?.connectionId != null) {
      const { campaignId, connectionId } = place;
      const step = (ctx: Ctx) => answer(ctx, contacts, { campaignId, connectionId, recipientId });
      await endingFailures(inCompany, campaignId, () => inCompany(step, { retry: true }));
    }
  };

interface Agreed {
  readonly campaignId: number;
  readonly connectionId: number;
  readonly recipientId: number;
}

async function answer(
  ctx: Ctx,
  contacts: ContactResolver,
  { campaignId, connectionId, recipientId }: Agreed,
): Promise<void> {
  const line = await lockLine(ctx, campaignId, connectionId);
  if (!line || line.status !== "EM_ANDAMENTO") {
    return;
  }
  const recipient = await takeAgreedRecipient(ctx, recipientId);
  if (!recipient) {
    return;
  }
  const written = await writeToRecipient(ctx, { contacts, line, recipient, isAnswer: true });
  if (written.kind === "messaged") {
    await advanceLine(ctx, line, { nextAt: null, handed: 0, messaged: 1 });
  }
  enqueuePublish(ctx, line.campaignId);
}

const onePersonOnce = "campaign_recipients_person";
const collisionRetryMs = 1_000;

/**
 * Runs a step. A contact that cannot be written to is ended after the step was rolled back. Two lines that found one person by
 * two spellings at the same moment broke the index: the later one looks again, and finds the first.
 */
async function endingFailures<T>(
  inCompany: JobDeps["inCompany"],
  campaignId: number,
  step: () => Promise<T>,
): Promise<T | "failed"> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof RecipientFailure) {
      await inCompany(async (ctx) => {
        await endRecipient(ctx, error.recipientId, "failed", error.code);
        enqueuePublish(ctx, campaignId);
      });
      return "failed";
    }
    if (brokenConstraint(error) === onePersonOnce) {
      throw new RetryLater(collisionRetryMs, "another line writes to the same person", { cause: error });
    }
    throw error;
  }
}
