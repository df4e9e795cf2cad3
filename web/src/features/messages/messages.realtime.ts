import { compareMessages, type Message } from "@prosa/contract/messages";
import type { QueryClient } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime.ts";
import { messageKeys, type MessagePages } from "./messages.api.ts";

/** What an open or remembered conversation does when the server says that a message came or changed. */
export const messagesRealtime: RealtimeHandlers = {
  appMessage: (event, queryClient) => putMessage(queryClient, event.message),
  ticket: (event, queryClient) => {
    if (event.action === "delete") {
      queryClient.removeQueries({ queryKey: messageKeys.of(event.ticketId), type: "inactive" });
    }
    // episodes changed with the status: the markers come with the conversation
    if (event.action === "update") {
      void queryClient.invalidateQueries({
        queryKey: messageKeys.of(event.ticket.id),
        predicate: ({ state }) =>
          hasOtherEpisodes(state.data as MessagePages | undefined, event.ticket.protocol, event.ticket.status),
      });
    }
  },
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

function withPage(pages: MessagePages, index: number, messages: readonly Message[]): MessagePages {
  return { ...pages, pages: pages.pages.map((page, at) => (at === index ? { ...page, messages } : page)) };
}

function hasOtherEpisodes(pages: MessagePages | undefined, protocol: string, status: string): boolean {
  const running = pages?.pages[0]?.episodes.find((episode) => episode.protocol === protocol);
  if (!pages) {
    return false;
  }
  const known = running === undefined ? "none" : running.finishedAt ? "closed" : running.startedAt ? "open" : "pending";
  return known !== status;
}
