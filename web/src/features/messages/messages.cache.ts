import { pageSize } from "@prosa/contract/common";
import { compareMessages, type Message } from "@prosa/contract/messages";
import type { Episode, Ticket } from "@prosa/contract/tickets";
import type { InfiniteData, QueryClient } from "@tanstack/react-query";

/** A page of the conversation, oldest first. The first page of the cache is the newest. */
export interface MessagePage {
  readonly messages: readonly Message[];
  readonly episodes: readonly Episode[];
  readonly ticket: Ticket;
  readonly count: number;
  readonly hasMore: boolean;
  /** How many were unread when it was asked for, up to the last message of its ticket. */
  readonly unread: number;
}
export type MessagePages = InfiniteData<MessagePage, number | undefined>;

export const messageKeys = {
  all: ["messages"] as const,
  of: (ticketId: number) => ["messages", ticketId] as const,
  edits: (messageId: number) => ["messages", "edits", messageId] as const,
};

/** Inserts or replaces a message in its conversation, if that is loaded. */
export function putMessage(queryClient: QueryClient, message: Message): void {
  queryClient.setQueriesData<MessagePages>({ queryKey: messageKeys.of(message.ticketId) }, (pages) =>
    pages ? placeMessage(pages, message) : pages,
  );
}

/** Pure: replaces by id, never with an older version; inserts a new message in order of time. What quotes it says the same. */
export function placeMessage(pages: MessagePages, message: Message): MessagePages {
  const known = pages.pages.flatMap(({ messages }) => messages).find(({ id }) => id === message.id);
  if (known && known.version > message.version) {
    return pages;
  }
  const index = known ? undefined : pageFor(pages, message);
  return {
    ...pages,
    pages: pages.pages.map((page, at) => {
      const messages = page.messages.map((other) => (other === known ? message : withQuoteOf(message, other)));
      return { ...page, messages: at === index ? [...messages, message].sort(compareMessages) : messages };
    }),
  };
}

/** The other message with its quotation as the server would give it now, if it quotes this one. */
function withQuoteOf({ id, body, isDeleted }: Message, other: Message): Message {
  const { quotedMsg } = other;
  return quotedMsg?.id !== id || (quotedMsg.body === body && quotedMsg.isDeleted === isDeleted)
    ? other
    : { ...other, quotedMsg: { ...quotedMsg, body, isDeleted } };
}

/** The page that covers the time of the message; undefined when it is older than all loaded pages: a later fetch brings it. */
function pageFor(pages: MessagePages, message: Message): number | undefined {
  const index = pages.pages.findIndex(({ messages }) => {
    const oldest = messages[0];
    return oldest !== undefined && compareMessages(message, oldest) >= 0;
  });
  if (index !== -1) {
    return index;
  }
  const last = pages.pages.length - 1;
  return pages.pages[last]?.hasMore ? undefined : last;
}

/** Drops all pages but the newest when a conversation is left: opened again, it is shown at once and fetches one page. */
export function keepNewestPage(queryClient: QueryClient, ticketId: number): void {
  queryClient.setQueriesData<MessagePages>({ queryKey: messageKeys.of(ticketId) }, (cached) =>
    cached && cached.pages.length > 1
      ? { pages: cached.pages.slice(0, 1), pageParams: cached.pageParams.slice(0, 1) }
      : // not as it is: that would count as new data, and render it once more
        undefined,
  );
}

/**
 * Pure: how far back the page before this message has to go so that what is loaded stays. A jump loads hundreds of messages as one
 * page; fetched again as a page of the usual size it would take what is being read away. Undefined where that size is enough.
 */
export function loadedUpTo(pages: MessagePages | undefined, before: number): number | undefined {
  const index = pages?.pages.findIndex(({ messages }) => messages.some(({ id }) => id === before)) ?? -1;
  // Newer messages have moved the beginning of the page before into an older one, or beyond all that were known.
  const known = pages?.pages[Math.max(index, 0) + 1]?.messages ?? [];
  // The server adds a page of the usual size beyond the message that it is asked for.
  return known.length > pageSize.messages ? known[pageSize.messages]?.id : undefined;
}
