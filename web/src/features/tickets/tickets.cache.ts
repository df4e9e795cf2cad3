import type { SessionUser } from "@prosa/contract/auth";
import type { FoundMessage, Ticket } from "@prosa/contract/tickets";
import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { can, isAdmin } from "#web/lib/permissions.ts";
import { currentSession } from "#web/lib/session.ts";
import { belongsTo, compareTickets, type TicketList, type Viewer } from "./ticket-lists.ts";

export interface TicketPage {
  readonly tickets: readonly Ticket[];
  /** Of a search: the messages that are the reason. */
  readonly found?: readonly FoundMessage[] | undefined;
  readonly count: number;
  readonly hasMore: boolean;
  /** When it was asked for, in ms. */
  readonly asOf?: number;
}
export type TicketPages = InfiniteData<TicketPage, number>;

export const ticketKeys = {
  all: ["tickets"] as const,
  lists: ["tickets", "list"] as const,
  list: (list: TicketList) => ["tickets", "list", list] as const,
  counts: ["tickets", "counts"] as const,
  countsOf: (showAll: boolean, queueIds: readonly number[]) => ["tickets", "counts", { showAll, queueIds }] as const,
  one: (uuid: string) => ["tickets", "one", uuid] as const,
  episodes: (ticketId: number) => ["tickets", "episodes", ticketId] as const,
};

/** Puts the newest view of a ticket wherever it belongs, takes it out where it no longer does. Older views change nothing. */
export function putTicket(queryClient: QueryClient, ticket: Ticket): void {
  const session = currentSession();
  if (session.state !== "in") {
    return;
  }
  const viewer = viewerOf(session.user);
  for (const [queryKey, pages] of queryClient.getQueriesData<TicketPages>({ queryKey: ticketKeys.lists })) {
    const list = queryKey[2] as TicketList;
    if (pages) {
      queryClient.setQueryData<TicketPages>(queryKey, placeTicket(pages, list, viewer, ticket));
    }
  }
  queryClient.setQueryData<Ticket>(ticketKeys.one(ticket.uuid), (known) =>
    known && known.version > ticket.version ? known : ticket,
  );
  refreshCounts(queryClient);
}

/** Pure: one list after the ticket changed. */
export function placeTicket(pages: TicketPages, list: TicketList, viewer: Viewer, ticket: Ticket): TicketPages {
  const known = findIn(pages, ticket.id);
  if (known && known.version > ticket.version) {
    return pages;
  }
  // what a search found stays found: only its row is refreshed
  const isShown = list.searchParam === "" ? belongsTo(list, viewer, ticket) : known !== undefined;
  const without = known ? withoutTicket(pages, ticket.id) : pages;
  return isShown ? withTicket(without, ticket) : without;
}

export function viewerOf(user: SessionUser): Viewer {
  return {
    userId: user.id,
    isAdmin: isAdmin(user),
    holdsShowAll: can(user, "tickets-manager:showall"),
    seesQueueless: user.profile !== "user" || user.allTicket === "enabled",
    queueIds: user.queues.map((queue) => queue.id),
  };
}

function withTicket(pages: TicketPages, ticket: Ticket): TicketPages {
  const pageIndex = pages.pages.findIndex(({ tickets }) => tickets.some((other) => compareTickets(ticket, other) < 0));
  const last = pages.pages.at(-1);
  // older than everything loaded: it will come with its page
  if (pageIndex === -1 && last?.hasMore) {
    return withCount(pages, 1);
  }
  const target = pageIndex === -1 ? pages.pages.length - 1 : pageIndex;
  return withCount(
    {
      ...pages,
      pages: pages.pages.map((page, index) =>
        index === target ? { ...page, tickets: [...page.tickets, ticket].sort(compareTickets) } : page,
      ),
    },
    1,
  );
}

function withoutTicket(pages: TicketPages, ticketId: number): TicketPages {
  return withCount(
    {
      ...pages,
      pages: pages.pages.map((page) =>
        page.tickets.some(({ id }) => id === ticketId)
          ? { ...page, tickets: page.tickets.filter(({ id }) => id !== ticketId) }
          : page,
      ),
    },
    -1,
  );
}

function withCount(pages: TicketPages, change: number): TicketPages {
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, count: Math.max(0, page.count + change) })) };
}

function findIn(pages: TicketPages, ticketId: number): Ticket | undefined {
  for (const page of pages.pages) {
    const ticket = page.tickets.find(({ id }) => id === ticketId);
    if (ticket) {
      return ticket;
    }
  }
  return undefined;
}

/** Pages of a list that stay in memory when nobody looks at it any more. */
const keptPages = 2;

/**
 * The list was left: whoever comes back begins at its top, so only that is kept. Otherwise all of a hundred pages would
 * be asked for again, one after another, once they are old.
 */
export function forgetDepth(queryClient: QueryClient, list: TicketList): void {
  queryClient.setQueryData<TicketPages>(
    ticketKeys.list(list),
    (known) => known && { pages: known.pages.slice(0, keptPages), pageParams: known.pageParams.slice(0, keptPages) },
    { updatedAt: queryClient.getQueryState(ticketKeys.list(list))?.dataUpdatedAt },
  );
}

/** The newest view of a ticket that a list knows. */
export function ticketInLists(queryClient: QueryClient, uuid: string): Ticket | undefined {
  return queryClient
    .getQueriesData<TicketPages>({ queryKey: ticketKeys.lists })
    .flatMap(([, list]) => list?.pages ?? [])
    .flatMap(({ tickets }) => tickets.find((ticket) => ticket.uuid === uuid) ?? [])
    .reduce<Ticket | undefined>((best, ticket) => (best && best.version >= ticket.version ? best : ticket), undefined);
}

/** The ticket left what this user may see, or was deleted: lists and the open conversation forget it. */
export function dropTicket(queryClient: QueryClient, ticketId: number): void {
  queryClient.setQueriesData<TicketPages>({ queryKey: ticketKeys.lists }, (pages) =>
    pages && findIn(pages, ticketId) ? withoutTicket(pages, ticketId) : pages,
  );
  for (const [queryKey, ticket] of queryClient.getQueriesData<Ticket>({ queryKey: ["tickets", "one"] })) {
    if (ticket?.id === ticketId) {
      // asked again rather than dropped: the answer tells "deleted" from "moved away from you"
      void queryClient.invalidateQueries({ queryKey });
    }
  }
  refreshCounts(queryClient);
}

/** Changes every ticket that is meant, wherever it is shown. */
export function changeTickets(
  queryClient: QueryClient,
  isMeant: (ticket: Ticket) => boolean,
  change: (ticket: Ticket) => Ticket,
) {
  queryClient.setQueriesData<TicketPages>(
    { queryKey: ticketKeys.lists },
    (pages) =>
      pages && {
        ...pages,
        pages: pages.pages.map((page) => ({
          ...page,
          tickets: page.tickets.some(isMeant)
            ? page.tickets.map((ticket) => (isMeant(ticket) ? change(ticket) : ticket))
            : page.tickets,
        })),
      },
  );
  queryClient.setQueriesData<Ticket>({ queryKey: ["tickets", "one"] }, (ticket) =>
    ticket && isMeant(ticket) ? change(ticket) : ticket,
  );
}

let countsTimer: ReturnType<typeof setTimeout> | undefined;

/** The numbers on the tabs cannot be derived from the pages that happen to be loaded; asked once after a burst. */
function refreshCounts(queryClient: QueryClient): void {
  countsTimer ??= setTimeout(() => {
    countsTimer = undefined;
    void queryClient.invalidateQueries({ queryKey: ticketKeys.counts });
  }, 400);
}
