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
}
export type MessagePages = InfiniteData<MessagePage, number | undefined>;

export const messageKeys = {
  all: ["messages"] as const,
  of: (ticketId: number) => ["messages", ticketId] as const,
  edits: (messageId: number) => ["messages", "edits", messageId] as const,
};

/** Puts the newest view of a message into its conversation, if that is loaded. */
export function putMessage(queryClient: QueryClient, message: Message): void {
  queryClient.setQueriesData<MessagePages>({ queryKey: messageKeys.of(message.ticketId) }, (pages) =>
    pages ? placeMessage(pages, message) : pages,
  );
}

/** Pure: replaces by id, never with an older version; a new one enters at its place in time. */
export function placeMessage(pages: MessagePages, message: Message): MessagePages {
  for (const [index, page] of pages.pages.entries()) {
    const known = page.messages.find(({ id }) => id === message.id);
    if (known) {
      return known.version > message.version
        ? pages
        : withPage(
            pages,
            index,
            page.messages.map((other) => (other.id === message.id ? message : other)),
          );
    }
  }
  const index = pageFor(pages, message);
  const page = index === undefined ? undefined : pages.pages[index];
  return page && index !== undefined
    ? withPage(pages, index, [...page.messages, message].sort(compareMessages))
    : pages;
}

/** The page whose time holds the message; undefined when it is older than everything loaded and its page will bring it. */
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

/** A conversation that is left keeps its newest page, to be shown at once when it is opened again. */
export function keepNewestPage(queryClient: QueryClient, ticketId: number): void {
  queryClient.setQueriesData<MessagePages>({ queryKey: messageKeys.of(ticketId) }, (known) =>
    known && known.pages.length > 1
      ? { pages: known.pages.slice(0, 1), pageParams: known.pageParams.slice(0, 1) }
      : known,
  );
}

function withPage(pages: MessagePages, index: number, messages: readonly Message[]): MessagePages {
  return { ...pages, pages: pages.pages.map((page, at) => (at === index ? { ...page, messages } : page)) };
}
