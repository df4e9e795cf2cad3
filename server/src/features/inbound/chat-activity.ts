import { isRatingTime, readRating } from "#server/features/bot/index.ts";
import type { StoredMessage } from "#server/features/messages/index.ts";
import type { Agent, ChatTicket, ChatActivity } from "#server/features/tickets/index.ts";
import type { IncomingMessage } from "./parse-line-events.ts";

/** A message that was not there before (or got its content now), with its ticket as it was before. */
export interface NewMessage {
  readonly incoming: IncomingMessage;
  readonly ticket: ChatTicket;
  readonly message: StoredMessage;
}

/** What the news of one chat mean. */
export interface InboundChat {
  readonly ticket: ChatTicket;
  readonly record: ChatActivity;
  /** The contact's answer to how the last episode went: it opens nothing. */
  readonly rating: { readonly value: 1 | 2 | 3; readonly at: Date } | null;
  /** What the contact says to whoever answers while nobody owns the ticket; empty where somebody does, and in groups. */
  readonly toBot: readonly IncomingMessage[];
}

/**
 * What the news of a batch mean to each ticket, in the order of ticket ids. A contact who writes to a closed ticket
 * opens it, unless they are blocked; our own words typed on the phone do not: nobody waits for us (decision 0052). `reopenMs`: within this time
 * after the end the contact comes back to the same agent (behaviour 4). `settled`: words that nobody has to answer.
 */
export function summarizeChats(
  news: readonly NewMessage[],
  reopenMs: number,
  settled: ReadonlySet<IncomingMessage>,
): InboundChat[] {
  const words = news.filter((each) => !isOutcomeOfCall(each));
  const byTicket = Map.groupBy(words, ({ ticket }) => ticket.id);
  return [...byTicket.values()]
    .map((own) => chatTraffic(own, reopenMs, settled))
    .toSorted((a, b) => a.ticket.id - b.ticket.id);
}

function chatTraffic(own: readonly NewMessage[], reopenMs: number, settled: ReadonlySet<IncomingMessage>): InboundChat {
  const { ticket } = own[0]!;
  const rated = ticket.isBlocked ? null : ratingAmong(own);
  const words = own.filter(({ incoming }) => incoming !== rated?.incoming && !settled.has(incoming));
  const theirs = ticket.isBlocked ? [] : words.filter(isNewWordOfTheirs);
  const opensAt = ticket.status === "closed" && theirs.length > 0 ? earliest(theirs) : null;
  const opensTo = opensAt && agentOf(ticket, opensAt, reopenMs);
  const waits = !ticket.isGroup && !ticket.isBlocked && (opensAt ? opensTo === null : ticket.status === "pending");

  const { incoming: last } = own.reduce((latest, each) =>
    each.incoming.sentAt >= latest.incoming.sentAt ? each : latest,
  );
  const record: ChatActivity = {
    ticketId: ticket.id,
    at: last.sentAt,
    body: last.body === "" ? (last.media?.fileName ?? "") : last.body,
    mediaType: last.mediaType,
    fromMe: last.fromMe,
    unread: theirs.length,
    opensAt,
    opensTo,
  };
  const rating = rated && { value: rated.value, at: rated.incoming.sentAt };
  return { ticket, record, rating, toBot: waits ? words.map(({ incoming }) => incoming).filter(isForBot) : [] };
}

/** The contact's first word to a closed ticket may be a rating (behaviour 5, rule 2). */
function ratingAmong(
  own: readonly NewMessage[],
): { readonly incoming: IncomingMessage; readonly value: 1 | 2 | 3 } | null {
  const first = own.find(isNewWordOfTheirs);
  if (!first || first.incoming.mediaType !== "chat") {
    return null;
  }
  const { ratingAskedAt } = first.ticket;
  const value = canRate(first) ? readRating(first.incoming.body, ratingAskedAt, first.incoming.sentAt) : null;
  return value && { incoming: first.incoming, value };
}

/** May it be the rating that its ticket asked for? */
export function canRate({ ticket, incoming }: NewMessage): boolean {
  const { status, isGroup, rating, ratingAskedAt } = ticket;
  return status === "closed" && !isGroup && rating === null && isRatingTime(ratingAskedAt, incoming.sentAt);
}

/** How a call ended is told in its row, which stays where the call began: it is no newer word than what was written since. */
function isOutcomeOfCall({ incoming, message }: NewMessage): boolean {
  return !message.isNew && incoming.mediaType === "call_log";
}

/** The words of a stub have come. */
export function isFilled({ incoming, message }: NewMessage): boolean {
  return !message.isNew && !incoming.isPlaceholder && incoming.mediaType !== "call_log";
}

/**
 * A stub may be the rating that was asked for: it is held (decision 0097). Its words are new where the ticket is closed,
 * perhaps because nobody could read what stood there.
 */
function isNewWordOfTheirs(news: NewMessage): boolean {
  const { incoming, message, ticket } = news;
  const isNew = incoming.isPlaceholder && canRate(news) ? false : message.isNew;
  return !incoming.fromMe && (isNew || (ticket.status === "closed" && isFilled(news)));
}

/** A stub has no words yet: it is answered when its content comes. A call is no word. */
function isForBot({ fromMe, isPlaceholder, mediaType }: IncomingMessage): boolean {
  return !fromMe && !isPlaceholder && mediaType !== "call_log";
}

function agentOf({ userId, queueId, finishedAt, isGroup }: ChatTicket, at: Date, reopenMs: number): Agent | null {
  const isSoon = finishedAt !== null && at.getTime() - finishedAt.getTime() <= reopenMs;
  return userId !== null && isSoon && reopenMs > 0 && !isGroup ? { userId, queueId } : null;
}

function earliest(news: readonly NewMessage[]): Date {
  return news.reduce(
    (first, { incoming }) => (incoming.sentAt < first ? incoming.sentAt : first),
    news[0]!.incoming.sentAt,
  );
}
