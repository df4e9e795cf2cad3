import { isRatingTime, isThanksTime, readAfterEnd } from "#server/features/bot/index.ts";
import type { Said } from "#server/features/bot/index.ts";
import type { StoredMessage } from "#server/features/messages/index.ts";
import { settingOf } from "#server/features/settings/index.ts";
import { replyWaitsFor } from "#server/features/tickets/index.ts";
import type { Agent, ChatTicket, TicketActivity } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { IncomingMessage } from "./parse-line-events.ts";

/** A stored message that is new, or a placeholder that got its content, with its ticket as it was before. */
export interface NewMessage {
  readonly incoming: IncomingMessage;
  readonly ticket: ChatTicket;
  readonly message: StoredMessage;
}

/** The effect of the new messages of one chat. */
export interface InboundChat {
  readonly ticket: ChatTicket;
  readonly activity: TicketActivity;
  /** The contact's rating of the last episode, which does not open the ticket. */
  readonly rating: 1 | 2 | 3 | null;
  /** What was said to the bot; empty where the ticket has a user or gets one, in groups, and from blocked contacts. */
  readonly forBot: readonly Said[];
}

/**
 * Summarizes the new messages of a batch by ticket, in the order of ticket ids. A contact who writes to a closed ticket opens
 * it, unless they are blocked; messages sent from the owner's phone do not, because nobody waits for an answer (decision
 * 0052). `reopenMs`: within this time after the end the ticket goes back to the same agent (behaviour 4). `settled`: late
 * ratings and words about campaigns, which need no answer.
 */
export function summarizeChats(
  newMessages: readonly NewMessage[],
  reopenMs: number,
  settled: ReadonlySet<IncomingMessage>,
): InboundChat[] {
  const messages = newMessages.filter((each) => !isOutcomeOfCall(each));
  const byTicket = Map.groupBy(messages, ({ ticket }) => ticket.id);
  return [...byTicket.values()]
    .map((own) => inboundChatOf(own, reopenMs, settled))
    .toSorted((a, b) => a.ticket.id - b.ticket.id);
}

function inboundChatOf(
  own: readonly NewMessage[],
  reopenMs: number,
  settled: ReadonlySet<IncomingMessage>,
): InboundChat {
  const { ticket } = own[0]!;
  const { rating, needsNoAnswer } = afterEnd(own);
  const unsettled = own.filter((each) => !needsNoAnswer.has(each) && !settled.has(each.incoming));
  const fromContact = ticket.isBlocked ? [] : unsettled.filter(isNewFromContact);
  const opensAt = ticket.status === "closed" && fromContact.length > 0 ? earliest(fromContact) : null;
  const opensTo = opensAt && agentOf(ticket, opensAt, reopenMs);
  const waitsFor = fromContact.length > 0 && !opensTo ? replyWaitsFor(ticket, earliest(fromContact)) : null;
  const isWithoutUser = opensAt ? opensTo === null : ticket.status === "pending" && ticket.userId === null;
  const isBotTurn = !ticket.isGroup && !ticket.isBlocked && isWithoutUser && waitsFor === null;

  const { incoming: last } = own.reduce((latest, each) =>
    each.incoming.sentAt >= latest.incoming.sentAt ? each : latest,
  );
  const activity: TicketActivity = {
    ticketId: ticket.id,
    at: last.sentAt,
    body: last.body === "" ? (last.media?.fileName ?? "") : last.body,
    mediaType: last.mediaType,
    fromMe: last.fromMe,
    unread: fromContact.length,
    opensAt,
    opensTo,
    waitsFor,
    ...waitingIn(own, new Set(fromContact)),
    awaitsReplyTo: null,
  };
  return { ticket, activity, rating, forBot: isBotTurn ? unsettled.filter(isForBot).map(saidIn) : [] };
}

/** Who waits after these messages, by the time they were sent: a batch may be what was written while the line was down. */
function waitingIn(
  own: readonly NewMessage[],
  fromContact: ReadonlySet<NewMessage>,
): Pick<TicketActivity, "waitingSince" | "answeredAt"> {
  let waitingSince: Date | null = null;
  let answeredAt: Date | null = null;
  for (const each of own.toSorted((a, b) => a.incoming.sentAt.getTime() - b.incoming.sentAt.getTime())) {
    const { sentAt, fromMe } = each.incoming;
    if (fromMe && each.message.isNew) {
      [waitingSince, answeredAt] = [null, sentAt];
    } else if (fromContact.has(each)) {
      waitingSince ??= sentAt;
    }
  }
  return { waitingSince, answeredAt };
}

/**
 * What the contact of a closed ticket said after its end (behaviour 5, rule 2): a rating, and the messages that open
 * nothing, which are the rating that asks for nothing and, where nothing else was said, the thanks.
 */
function afterEnd(own: readonly NewMessage[]): {
  readonly rating: 1 | 2 | 3 | null;
  readonly needsNoAnswer: ReadonlySet<NewMessage>;
} {
  const { ticket } = own[0]!;
  const said = own.filter(isNewFromContact);
  if (ticket.status !== "closed" || ticket.isGroup || ticket.isBlocked || said.length === 0) {
    return { rating: null, needsNoAnswer: new Set() };
  }
  // "Ok" is no thanks to whom the reply is awaited by (decision 0144).
  const finishedAt = replyWaitsFor(ticket, earliest(said)) === null ? ticket.finishedAt : null;
  const { rating, opens } = readAfterEnd(said.map(saidIn), { ...ticket, finishedAt });
  const bare = rating && !rating.asks ? said.slice(rating.index, rating.index + 1) : [];
  const settled = opens ? bare : said;
  return { rating: rating?.value ?? null, needsNoAnswer: new Set(settled) };
}

function saidIn({ message, incoming: { mediaType, body, sentAt } }: NewMessage): Said {
  return { messageId: message.id, kind: mediaType, text: body, at: sentAt };
}

/** May this message be the rating that its ticket requested? */
export function canRate({ ticket, incoming }: NewMessage): boolean {
  const { status, isGroup, rating, ratingAskedAt } = ticket;
  return status === "closed" && !isGroup && rating === null && isRatingTime(ratingAskedAt, incoming.sentAt);
}

/**
 * May this placeholder be the requested rating, or thanks after the end? It opens nothing until its content tells (decision
 * 0097). A reply that a user awaits goes to them at once.
 */
export function isHeldPlaceholder(newMessage: NewMessage): boolean {
  const { ticket, incoming } = newMessage;
  if (!incoming.isPlaceholder || incoming.fromMe || ticket.status !== "closed" || ticket.isGroup) {
    return false;
  }
  return canRate(newMessage) || (ticket.awaitedUserId === null && isThanksTime(ticket.finishedAt, incoming.sentAt));
}

/** The outcome of a call updates the call's row, which keeps the time of its start: it is not newer than later messages. */
function isOutcomeOfCall({ incoming, message }: NewMessage): boolean {
  return !message.isNew && incoming.mediaType === "call_log";
}

/** Did a placeholder get its content? */
export function isFilledPlaceholder({ incoming, message }: NewMessage): boolean {
  return !message.isNew && !incoming.isPlaceholder && incoming.mediaType !== "call_log";
}

/** Is its content heard for the first time? A placeholder is when its content arrives. */
export function isNewContent(newMessage: NewMessage): boolean {
  const { incoming, message } = newMessage;
  return (message.isNew && !incoming.isPlaceholder) || isFilledPlaceholder(newMessage);
}

/**
 * A placeholder that may need no answer is pending and does not count yet (decision 0097). A filled placeholder counts as new
 * where the ticket is closed, which it may be because nobody could read the placeholder.
 */
function isNewFromContact(newMessage: NewMessage): boolean {
  const { incoming, message, ticket } = newMessage;
  const isNew = message.isNew && !isHeldPlaceholder(newMessage);
  return !incoming.fromMe && (isNew || (ticket.status === "closed" && isFilledPlaceholder(newMessage)));
}

/** The bot answers a placeholder when its content arrives, and never a call or what the quarantine stored. */
function isForBot({ incoming: { fromMe, isPlaceholder, isQuarantined, mediaType } }: NewMessage): boolean {
  return !fromMe && !isPlaceholder && !isQuarantined && mediaType !== "call_log";
}

/** Milliseconds after its end within which a conversation goes back to the same agent (setting reopenToAgentMinutes); 0: never. */
export async function readReopenMs(ctx: Ctx): Promise<number> {
  return Number(await settingOf(ctx, "reopenToAgentMinutes")) * 60_000;
}

/** Who gets the conversation back (behaviour 4: reopenToAgentMinutes). */
export function agentOf(
  { userId, queueId, finishedAt, isGroup }: Pick<ChatTicket, "userId" | "queueId" | "finishedAt" | "isGroup">,
  at: Date,
  reopenMs: number,
): Agent | null {
  const isSoon = finishedAt !== null && at.getTime() - finishedAt.getTime() <= reopenMs;
  return userId !== null && isSoon && reopenMs > 0 && !isGroup ? { userId, queueId } : null;
}

function earliest(newMessages: readonly NewMessage[]): Date {
  return newMessages.reduce(
    (first, { incoming }) => (incoming.sentAt < first ? incoming.sentAt : first),
    newMessages[0]!.incoming.sentAt,
  );
}
