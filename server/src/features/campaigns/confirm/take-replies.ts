import { campaignRules } from "@prosa/contract";
import { readYesNo } from "#server/features/bot/index.ts";
import { recordOptOut } from "#server/features/sending/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
import { enqueueAnswer, enqueuePublish } from "../campaigns.jobs.ts";
import { findAwaited, hasCampaignSince, saveAnswer, saveAnswered } from "./confirm.queries.ts";
import type { Awaited } from "./confirm.queries.ts";

/** A message of a contact, in a chat with one person, on a ticket that is locked. */
export interface CampaignReply {
  readonly messageId: number;
  readonly ticketId: number;
  readonly contactId: number;
  /** "" for what is no text. */
  readonly text: string;
  readonly quotedWaId: string | null;
  readonly at: Date;
  /** It was an opt-out word. */
  readonly optsOut: boolean;
}

const dayMs = 24 * 3_600_000;
/** A message later than this after a campaign is no reply to it. */
const repliesWithinMs = 30 * dayMs;
/** How far the clock of WhatsApp, which dates what contacts write, may be behind ours. */
const clockSkewMs = 10_000;
/** A campaign whose last contacts were written to within this time may still get replies. */
const campaignsWithinMs = 90 * dayMs;

const hasCampaigns: Cached<boolean> = {
  name: "has recent campaigns",
  staleAfter: ["campaign.updated", "campaign.deleted"],
  load: (ctx) => hasCampaignSince(ctx, new Date(ctx.now().getTime() - campaignsWithinMs)),
};

/**
 * Takes what contacts reply to campaigns, in the inbound transaction (K-06): a yes or no to a request for confirmation, and the
 * first reply to a message. `acknowledged`: WhatsApp ids of own messages whose receipts came with them, and are not stored yet. Returns
 * the messages that it settled: answers to requests of campaigns that are being sent. They need nobody and nothing else, and all others
 * are heard by bot and people like any message. Costs no statement in a company without a recent campaign.
 */
export async function takeCampaignReplies(
  ctx: Ctx,
  replies: readonly CampaignReply[],
  acknowledged: ReadonlySet<string>,
): Promise<ReadonlySet<number>> {
  const settled = new Set<number>();
  if (replies.length === 0 || !(await ctx.cached(hasCampaigns))) {
    return settled;
  }
  const contactIds = [...new Set(replies.map(({ contactId }) => contactId))];
  const awaited = await findAwaited(ctx, contactIds, new Date(ctx.now().getTime() - repliesWithinMs));
  const answered: { recipientId: number; at: Date }[] = [];
  for (const found of awaited) {
    const each = { ...found, isSaid: found.isSaid || (found.askWaId !== null && acknowledged.has(found.askWaId)) };
    const said = replies.filter(({ contactId }) => contactId === each.contactId);
    // Who only leaves has not answered, and stands in the list of opt-outs.
    const first = said.find((reply) => !reply.optsOut && each.isSaid && isSaidAfter(reply, each));
    if (each.isAsked) {
      const answer = await takeAnswer(ctx, each, said);
      if (answer !== undefined) {
        settled.add(answer);
      }
    } else if (each.isMessaged && first) {
      answered.push({ recipientId: each.recipientId, at: first.at });
    }
  }
  if (answered.length > 0) {
    await saveAnswered(ctx, answered);
  }
  for (const campaignId of new Set(awaited.map((each) => each.campaignId))) {
    enqueuePublish(ctx, campaignId);
  }
  return settled;
}

/**
 * The first message that answers the request decides. Returns its id; undefined if none does, and the question stays open. A yes to a
 * cancelled campaign counts for its restart, which may never come: somebody must hear it too.
 */
async function takeAnswer(ctx: Ctx, asked: Awaited, said: readonly CampaignReply[]): Promise<number | undefined> {
  if (said.some(({ optsOut }) => optsOut)) {
    await saveAnswer(ctx, asked, "optedOut", null);
    return undefined;
  }
  for (const reply of said) {
    const answer = answerOf(reply, asked);
    if (answer === "yes") {
      await saveAnswer(ctx, asked, "agreed", reply.at);
      if (!asked.isRunning) {
        return undefined;
      }
      enqueueAnswer(ctx, asked.recipientId);
      return reply.messageId;
    }
    if (answer === "no") {
      await saveAnswer(ctx, asked, "declined", null);
      await decline(ctx, reply);
      return reply.messageId;
    }
  }
  return undefined;
}

/**
 * What a message answers to the request; undefined: nothing. In time, and by a quote or because nothing of ours came after it: "1" below
 * a menu of the bot is a choice of the menu, and "sim" below a person's question is theirs. Where the line went down before WhatsApp
 * acknowledged the request, it may have arrived: a "não" counts then, since an opt-out too many harms less than a message that was
 * declined; a "sim" needs a receipt.
 */
function answerOf(reply: CampaignReply, asked: Awaited): "yes" | "no" | undefined {
  const { saidAt, askWaId, isLastSaid, isSaid, handedAt } = asked;
  // Null: it has just been sent, and its acknowledgement is counted by a job.
  const isInTime = saidAt === null || reply.at.getTime() - saidAt.getTime() <= campaignRules.answerWithinMs;
  const { quotedWaId } = reply;
  if (!isInTime || (quotedWaId === null ? !isLastSaid || !isSaidAfter(reply, asked) : quotedWaId !== askWaId)) {
    return undefined;
  }
  const answer = readYesNo(reply.text);
  const isProven = isSaid || quotedWaId !== null || (answer === "no" && handedAt !== null);
  return isProven ? answer : undefined;
}

/**
 * Did the contact write it below what the campaign said, and after it? A "sim" on another line is another conversation's, and one
 * that was written while our line was down arrives behind a request that the contact had not seen. The acknowledgement may be stored
 * minutes after the message was handed over and delivered: a process that is killed in between repeats it when it is back.
 */
function isSaidAfter({ ticketId, at }: CampaignReply, { saidAt, storedAt, handedAt, ...said }: Awaited): boolean {
  const [since = storedAt] = [saidAt, handedAt]
    .filter((time) => time !== null)
    .toSorted((a, b) => a.getTime() - b.getTime());
  return said.ticketId === ticketId && since !== null && at.getTime() >= since.getTime() - clockSkewMs;
}

async function decline(ctx: Ctx, { contactId, messageId, ticketId, text, at }: CampaignReply): Promise<void> {
  const word = text.trim();
  await recordOptOut(ctx, { source: "declined", word, userId: null, note: "", contactId, messageId, ticketId, at });
}
