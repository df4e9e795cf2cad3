/** Where does the unread part of a conversation begin for this reader? Decided at its opening, and kept while it is open. */
import { compareMessages, type Message } from "@prosa/contract/messages";
import type { Ticket } from "@prosa/contract/tickets";
import { useMemo } from "react";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";

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
interface Opening {
  readonly unread: number;
  readonly lastMessageAt: string | null;
  readonly updatedAt: number;
  /** The newest message then; undefined until the messages of this opening have come. */
  readonly newestId?: number;
}

/** `findNewSince` for the conversation that is open. `unread`: the owner's, as the server counted them at the opening. */
export function useNewSince(
  visit: number,
  ticket: Pick<Ticket, "userId" | "status" | "unreadMessages" | "lastMessageAt">,
  userId: number,
  messages: readonly Message[] | undefined,
  /** When the messages came: those of an earlier look do not say what was unread at this one. */
  updatedAt: number,
): NewSince | undefined {
  const counted = ticket.userId === userId && ticket.status === "open" ? ticket.unreadMessages : 0;
  const [known, setOpening] = useStateOf<Opening>(visit, () => ({
    unread: counted,
    lastMessageAt: ticket.lastMessageAt,
    updatedAt,
  }));
  let opening = known;
  if (opening.newestId === undefined) {
    if (counted > opening.unread) {
      // The ticket was one that the browser had kept: its count was older than this opening.
      opening = { ...opening, unread: counted, lastMessageAt: ticket.lastMessageAt };
    }
    if (updatedAt !== opening.updatedAt && messages && messages.length > 0) {
      // Decided once: what comes later is read as it comes.
      const newest = opening.unread > 0 ? newestCounted(messages, opening.lastMessageAt) : undefined;
      opening = { ...opening, newestId: newest ?? NONE };
    }
    if (opening !== known) {
      // during the render: the line stands there when the conversation is first painted
      setOpening(opening);
    }
  }
  const { unread, newestId } = opening;
  return useMemo(
    () => (newestId === undefined || !messages ? undefined : findNewSince(messages, unread, newestId)),
    [messages, unread, newestId],
  );
}
