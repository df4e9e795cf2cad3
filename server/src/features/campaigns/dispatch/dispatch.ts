import type { PauseReason } from "@prosa/contract";
import { z } from "zod";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import { RetryLater } from "#server/platform/jobs/index.ts";
import type { JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { enqueueDispatch, enqueueDispatchNow, enqueuePublish, publishAt } from "../campaigns.jobs.ts";
import { campaignSettingsOf } from "../settings/index.ts";
import type { CampaignSettings } from "../settings/index.ts";
import { cancelCampaign, finishIfDone, isServed } from "../start/index.ts";
import { drawLinesNear, findNextLook, lockDueLines, saveLines, takeNextRecipients } from "./dispatch.queries.ts";
import type { CampaignLine, LineChange, SendingCampaign, TakenRecipient } from "./dispatch.queries.ts";
import { endFailed, failureOf } from "./failures.ts";
import { freeAt, gapAfter, longestGap } from "./pace.ts";
import { variantInTurn } from "./variants.ts";
import { contentOf, writeToRecipients } from "./write-to-recipients.ts";
import type { Place, Written } from "./write-to-recipients.ts";

/** A line that is held for a reason without a known end is looked at again after this time (ms); its state wakes it sooner. */
const lookAgainMs = 60_000;
/** Lines of one pass, so that its transaction stays short: whoever answers in one of its chats waits for its end. */
const maxLines = 50;
/** How often a pass looks for other contacts for the lines whose contact ended without a message. */
const maxRounds = 5;

const passPayload = z.object({ campaignId: z.number().int() });

/**
 * Job: a pass over the lines of a campaign that are due. Each writes to the next contact, and the pass after it is enqueued for
 * when the next line is due (K-05). A pass is one transaction, so a crash leaves it whole or undone, and two of one campaign run
 * one after the other; what a crash enqueued twice finds no line due. A pause or an outage is not made up for: the pace counts
 * from the last contact.
 */
export const dispatchDue = (contacts: ContactResolver): JobHandler => {
  /** Until when a publication of a campaign waits that this process has enqueued. */
  const publishedAt = new Map<number, Date>();
  return async (job, { inCompany, clock }) => {
    const { campaignId } = passPayload.parse(job.payload);
    const now = clock.now();
    // The waiting publication is one row, locked until the commit: the passes would write one after the other.
    const isPublished = (publishedAt.get(campaignId) ?? now) > now;
    const publish = (ctx: Ctx) => (isPublished ? undefined : enqueuePublish(ctx, campaignId));
    const done = await passOrFail(inCompany, { contacts, publish, campaignId });
    if (done.hasWritten) {
      publishedAt.set(campaignId, publishAt(now));
    }
    if (done.isNobodyLeft) {
      publishedAt.delete(campaignId);
      await inCompany((ctx) => finishIfDone(ctx, campaignId), { retry: true });
    }
  };
};

interface PassTools {
  readonly contacts: ContactResolver;
  readonly publish: (ctx: Ctx) => void;
  readonly campaignId: number;
}

interface Pass {
  /** Somebody was written to, or has a result. */
  readonly hasWritten: boolean;
  readonly isNobodyLeft: boolean;
}

/**
 * A pass; where a contact cannot be written to, it was rolled back, and one of a single line finds which contact that is: it is
 * ended with its reason, so that it does not stop those behind it. Two lines that found one person by two spellings at the same
 * moment broke the index: the later one looks again, and finds the first.
 */
async function passOrFail(inCompany: JobDeps["inCompany"], tools: PassTools): Promise<Pass> {
  const { campaignId } = tools;
  try {
    return await inCompany((ctx) => takePass(ctx, tools, maxLines), { retry: true });
  } catch (error) {
    retryCollision(error);
    if (!(error instanceof AppError)) {
      throw error;
    }
  }
  try {
    return await inCompany((ctx) => takePass(ctx, tools, 1), { retry: true });
  } catch (error) {
    retryCollision(error);
    const failure = failureOf(error);
    if (!failure) {
      throw error;
    }
    await inCompany(async (ctx) => {
      await endFailed(ctx, campaignId, failure);
      enqueueDispatchNow(ctx, campaignId);
    });
    return { hasWritten: false, isNobodyLeft: false };
  }
}

const onePersonOnce = "campaign_recipients_person";
const collisionRetryMs = 1_000;

function retryCollision(error: unknown): void {
  if (brokenConstraint(error) === onePersonOnce) {
    throw new RetryLater(collisionRetryMs, "another line writes to the same person", { cause: error });
  }
}

async function takePass(ctx: Ctx, { contacts, publish, campaignId }: PassTools, limit: number): Promise<Pass> {
  const { campaign, lines } = await lockDueLines(ctx, campaignId, limit);
  if (campaign?.status !== "EM_ANDAMENTO") {
    return { hasWritten: false, isNobodyLeft: false };
  }
  if (contentOf(campaign, variantInTurn(campaign.messages, 0, 0)).length === 0) {
    // What it had to say is gone: it would end for everybody as failed, and this way it can be given words and go on.
    await cancelCampaign(ctx, campaignId);
    return { hasWritten: false, isNobodyLeft: false };
  }
  const settings = await campaignSettingsOf(ctx);
  const { changes, ready } = await sortOut(ctx, lines, settings);
  let waiting = ready;
  let isNobodyLeft = false;
  let hasWritten = false;
  for (let round = 0; round < maxRounds && waiting.length > 0; round += 1) {
    const lineIds = waiting.map(({ connectionId }) => connectionId);
    const places = pair(waiting, await takeNextRecipients(ctx, campaignId, lineIds));
    const written = await writeTo(ctx, contacts, campaign, places);
    places.forEach(({ line, recipient }, index) => {
      const change = changeAfter(ctx, line, recipient.id, written[index]!, settings);
      if (change) {
        changes.push(change);
      }
    });
    hasWritten ||= written.some(({ kind }) => kind !== "hold" && kind !== "again");
    const idle = waiting.filter((line) => !places.some((place) => place.line === line));
    if (idle.length > 0) {
      isNobodyLeft = true;
      changes.push(...idle.map((line) => unpaused(line)));
    }
    waiting = places.flatMap(({ line }, index) => (isStillDue(written[index]!) ? [line] : []));
  }
  if (hasWritten) {
    publish(ctx);
  }
  if (changes.some((change) => isNewPause(lines, change))) {
    enqueuePublish(ctx, campaignId);
  }
  await saveLines(ctx, campaignId, changes);
  await enqueueNext(ctx, campaignId, settings, !isNobodyLeft);
  return { hasWritten, isNobodyLeft };
}

/** Who has agreed is written to by the line that asked; the other contacts go to the other lines in turn. */
function pair(lines: readonly CampaignLine[], recipients: readonly TakenRecipient[]): Place[] {
  const bound = new Set(recipients.map(({ onlyBy }) => onlyBy));
  const free = lines.filter(({ connectionId }) => !bound.has(connectionId)).values();
  return recipients.flatMap((recipient): Place[] => {
    const { onlyBy } = recipient;
    const line = onlyBy === null ? free.next().value : lines.find(({ connectionId }) => connectionId === onlyBy);
    return line ? [{ line, recipient }] : [];
  });
}

/** Lines that have to wait, whoever the next contact is, and those that are ready to write. */
async function sortOut(ctx: Ctx, lines: readonly CampaignLine[], settings: CampaignSettings) {
  const now = ctx.now();
  const served = await isServed(ctx);
  const changes: LineChange[] = [];
  const ready: CampaignLine[] = [];
  for (const line of lines) {
    const free = freeAt(line.last, settings, now);
    const reason = served ? (line.connectionStatus === "CONNECTED" ? null : "disconnected") : "company";
    if (free > now) {
      changes.push({ ...unpaused(line), nextAt: free, pause: "same" });
    } else if (reason) {
      changes.push(held(line, reason, new Date(now.getTime() + lookAgainMs)));
    } else {
      ready.push(line);
    }
  }
  return { changes, ready };
}

function unpaused({ connectionId }: CampaignLine): LineChange {
  return { connectionId, nextAt: null, pause: null, handed: 0, messaged: 0, recipientId: null };
}

function held(line: CampaignLine, reason: PauseReason, until: Date): LineChange {
  return { ...unpaused(line), pause: { reason, until } };
}

/** Its error names the contact, where only one is written to. */
async function writeTo(
  ctx: Ctx,
  contacts: ContactResolver,
  campaign: SendingCampaign,
  places: readonly Place[],
): Promise<readonly Written[]> {
  try {
    return await writeToRecipients(ctx, { contacts, campaign }, places);
  } catch (error) {
    throw failureOf(error, places) ?? error;
  }
}

/** Undefined: the line takes another contact. */
function changeAfter(
  ctx: Ctx,
  line: CampaignLine,
  recipientId: number,
  written: Written,
  settings: CampaignSettings,
): LineChange | undefined {
  switch (written.kind) {
    case "ended":
    case "again":
      return undefined;
    case "hold":
      // The gap between two conversations of the line, whoever started them, is no pause that people should be told of.
      return written.reason === "pace"
        ? { ...unpaused(line), nextAt: written.until }
        : held(line, written.reason, written.until);
    case "asked":
    case "messaged": {
      const nextAt = new Date(ctx.now().getTime() + gapAfter(settings, line.handed + 1, Math.random()));
      return { ...unpaused(line), nextAt, handed: 1, messaged: written.kind === "messaged" ? 1 : 0, recipientId };
    }
  }
}

function isStillDue({ kind }: Written): boolean {
  return kind === "ended" || kind === "again";
}

function isNewPause(lines: readonly CampaignLine[], { connectionId, pause }: LineChange): boolean {
  const before = lines.find((line) => line.connectionId === connectionId)?.pauseReason ?? null;
  return pause !== null && pause !== "same" && pause.reason !== before;
}

/**
 * Enqueues the next pass for when a line is to be looked at: at once, where some are due still. A clock that was set back would
 * have the campaign wait for hours: no gap is longer than the longest of the plan.
 */
async function enqueueNext(ctx: Ctx, campaignId: number, settings: CampaignSettings, withDue: boolean): Promise<void> {
  const { at, plannedAt } = await findNextLook(ctx, campaignId, withDue);
  const now = ctx.now();
  const latest = new Date(now.getTime() + longestGap(settings));
  if (plannedAt && plannedAt > latest) {
    await drawLinesNear(ctx, campaignId, latest);
    enqueueDispatch(ctx, campaignId, latest);
  } else if (at) {
    enqueueDispatch(ctx, campaignId, at > now ? at : now);
  }
}
