/** Where does the unread part of a conversation begin for this reader? Decided at its opening, and kept while it is open. */
import { compareMessages, type Message } from "@prosa/contract/messages";
import type { Ticket } from "@prosa/contract/tickets";
import { useMemo } from "react";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import type { MessagePage } from "../messages.cache.ts";

/** No message has it. */
const NONE = 0;

export interface NewSince {
  /** The first unread message. */
  readonly messageId: number;
  readonly count: number;
}

/**
 * The first of the contact's last `unread` messages up to the newest one at the opening. Undefined while its page is not loaded,
 * and as soon as a person has answered: then nothing is new any more.
 */
export function findNewSince(messages: readonly Message[], unread: number, newestId: number): NewSince | undefined {
  const sorted = [...messages].sort(compareMessages);
  const newest = sorted.findIndex(({ id }) => id === newestId);
  const received = sorted.slice(0, newest + 1).filter(({ fromMe }) => !fromMe);
  const first = unread > 0 ? received.at(-unread) : undefined;
  const isAnswered = first && sorted.slice(sorted.indexOf(first)).some((message) => isAnswer(message));
  return first && !isAnswered ? { messageId: first.id, count: unread } : undefined;
}

function isAnswer({ fromMe, isAutomatic }: Message): boolean {
  return fromMe && !isAutomatic;
}

/** The newest message that a ticket with its last one at this time had counted; those after it came while it was being opened. */
export function newestCounted(messages: readonly Message[], lastMessageAt: string | null): number | undefined {
  const until = lastMessageAt === null ? -Infinity : Date.parse(lastMessageAt);
  return messages
    .filter(({ createdAt }) => Date.parse(createdAt) <= until)
    .sort(compareMessages)
    .at(-1)?.id;
}

/** What was known when the conversation was opened. */
export interface Opening {
  readonly unread: number;
  readonly lastMessageAt: string | null;
  readonly updatedAt: number;
  /** The newest message then; undefined until the messages of this opening have come. */
  readonly newestId?: number;
}

/** The messages that the browser has of the conversation. */
export interface Fetched {
  readonly messages: readonly Message[] | undefined;
  /** The newest page. */
  readonly page: Pick<MessagePage, "unread" | "ticket"> | undefined;
  /** When they came or changed. */
  readonly updatedAt: number;
  /** Has the fetch of this opening ended? Those of an earlier look do not say what was unread at this one. */
  readonly isCurrent: boolean;
}

type CountedTicket = Pick<Ticket, "userId" | "status" | "unreadMessages" | "lastMessageAt">;

/** Pure: what is known of the opening now; the same object where that is nothing new. */
export function learnOpening(opening: Opening, ticket: CountedTicket, userId: number, fetched: Fetched): Opening {
  const { messages, page, updatedAt, isCurrent } = fetched;
  if (opening.newestId !== undefined) {
    // Decided once: what comes later is read as it comes.
    return opening;
  }
  const counted = ownUnread(ticket, userId);
  // The ticket was one that the browser had kept: its count was older than this opening.
  const known =
    counted > opening.unread ? { ...opening, unread: counted, lastMessageAt: ticket.lastMessageAt } : opening;
  if (!isCurrent || updatedAt === opening.updatedAt || !page || !messages || messages.length === 0) {
    return known;
  }
  // The page may come before what is new of a kept ticket, and has marked it as read: so it says itself what was unread. It
  // says less than the ticket did where this opening had marked that as read before it was asked for.
  const ofPage = ownUnread({ ...page.ticket, unreadMessages: page.unread }, userId);
  const { unread, lastMessageAt } =
    ofPage >= known.unread ? { unread: ofPage, lastMessageAt: page.ticket.lastMessageAt } : known;
  const newest = unread > 0 ? newestCounted(messages, lastMessageAt) : undefined;
  return { ...known, unread, lastMessageAt, newestId: newest ?? NONE };
}

/** Only its owner reads it (M-14). */
function ownUnread(ticket: CountedTicket, userId: number): number {
  return ticket.userId === userId && ticket.status === "open" ? ticket.unreadMessages : 0;
}

/** `findNewSince` for the conversation that is open. `unread`: the owner's, as the server counted them at the opening. */
export function useNewSince(
  visit: number,
  ticket: CountedTicket,
  userId: number,
  fetched: Fetched,
): NewSince | undefined {
  const { messages, updatedAt } = fetched;
  const [known, setOpening] = useStateOf<Opening>(visit, () => ({
    unread: ownUnread(ticket, userId),
    lastMessageAt: ticket.lastMessageAt,
    updatedAt,
  }));
  const opening = learnOpening(known, ticket, userId, fetched);
  if (opening !== known) {
    // during the render: the line stands there when the conversation is first painted
    setOpening(opening);
  }
  const { unread, newestId } = opening;
  return useMemo(
    () => (newestId === undefined || !messages ? undefined : findNewSince(messages, unread, newestId)),
    [messages, unread, newestId],
  );
}
