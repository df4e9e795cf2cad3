import type { FoundMessage, Ticket } from "@prosa/contract/tickets";
import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { currentSession } from "#web/lib/session/session.ts";
import { belongsTo, comparatorOf, compareTickets, type TicketList } from "./ticket-lists.ts";
import { viewerOf, type Viewer } from "./tickets.policy.ts";

export interface TicketPage {
  readonly tickets: readonly Ticket[];
  /** Of a search: the messages that it found. */
  readonly found?: readonly FoundMessage[] | undefined;
  readonly count: number;
  readonly hasMore: boolean;
  /** Of a search: it stopped before it knew all matches. */
  readonly countIsLowerBound?: boolean | undefined;
  /** When it was fetched, in ms. */
  readonly asOf?: number;
  /** Its number at the server, where it brought nothing that was not known. */
  readonly repeated?: number;
}
export type TicketPages = InfiniteData<TicketPage, number>;

export const ticketKeys = {
  all: ["tickets"] as const,
  lists: ["tickets", "list"] as const,
  list: (list: TicketList) => ["tickets", "list", list] as const,
  counts: ["tickets", "counts"] as const,
  countsOf: (showAll: boolean, queueIds: readonly number[]) => ["tickets", "counts", { showAll, queueIds }] as const,
  ones: ["tickets", "one"] as const,
  one: (uuid: string) => ["tickets", "one", uuid] as const,
  episodes: (ticketId: number) => ["tickets", "episodes", ticketId] as const,
};

/**
 * Inserts, replaces or removes a ticket in every cached list, by whether it belongs there. Older versions change nothing, nor
 * does one that was dropped: the response of an own request may come after the event of its deletion.
 */
export function putTicket(queryClient: QueryClient, ticket: Ticket): void {
  const session = currentSession();
  if (session.state !== "in") {
    return;
  }
  const versions = droppedVersions(queryClient);
  if (ticket.version <= (versions.get(ticket.id) ?? -1)) {
    return;
  }
  // A list that it has left does not know its version, and would take it in again.
  if (ticket.version < newestVersion(queryClient, ticket.id)) {
    return;
  }
  versions.delete(ticket.id);
  const viewer = viewerOf(session.user);
  for (const [queryKey, pages] of queryClient.getQueriesData<TicketPages>({ queryKey: ticketKeys.lists })) {
    const list = queryKey[2] as TicketList;
    // a lane of the kanban has rules of its own, and places the ticket itself
    if (pages && !("laneId" in list)) {
      queryClient.setQueryData<TicketPages>(queryKey, placeTicket(pages, list, viewer, ticket));
    }
  }
  queryClient.setQueryData(ticketKeys.one(ticket.uuid), ticket);
  refreshCounts(queryClient);
}

/** Pure: one list after a change of the ticket. */
export function placeTicket(pages: TicketPages, list: TicketList, viewer: Viewer, ticket: Ticket): TicketPages {
  // search results stay: only the row is refreshed
  const isFound = list.searchParam !== "" && findIn(pages, ticket.id) !== undefined;
  return placeIn(pages, ticket, isFound || belongsTo(list, viewer, ticket), comparatorOf(list));
}

/** Pure: puts the ticket into the pages, in their order, or takes it out of them. */
export function placeIn(
  pages: TicketPages,
  ticket: Ticket,
  isShown: boolean,
  compare: (a: Ticket, b: Ticket) => number = compareTickets,
): TicketPages {
  const known = findIn(pages, ticket.id);
  if (known && known.version > ticket.version) {
    return pages;
  }
  const without = known ? withoutTicket(pages, ticket.id) : pages;
  return isShown ? withTicket(without, ticket, compare) : without;
}

function withTicket(pages: TicketPages, ticket: Ticket, compare: (a: Ticket, b: Ticket) => number): TicketPages {
  const pageIndex = pages.pages.findIndex(({ tickets }) => tickets.some((other) => compare(ticket, other) < 0));
  const last = pages.pages.at(-1);
  // behind all loaded pages: a later page brings it
  if (pageIndex === -1 && last?.hasMore) {
    return withCount(pages, 1);
  }
  const target = pageIndex === -1 ? pages.pages.length - 1 : pageIndex;
  return withCount(
    {
      ...pages,
      pages: pages.pages.map((page, index) =>
        index === target ? { ...page, tickets: [...page.tickets, ticket].sort(compare) } : page,
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

/** The ticket in the pages of a list. */
export function findIn(pages: TicketPages, ticketId: number): Ticket | undefined {
  for (const page of pages.pages) {
    const ticket = page.tickets.find(({ id }) => id === ticketId);
    if (ticket) {
      return ticket;
    }
  }
  return undefined;
}

/** Pages that stay in the cache when a list is left. */
const keptPages = 2;

/**
 * Drops all but the first pages of a list that is left: it is opened at its top again. Otherwise a hundred pages would
 * be fetched again, one after another, once they are stale.
 */
export function dropDeepPages(queryClient: QueryClient, list: TicketList): void {
  queryClient.setQueryData<TicketPages>(
    ticketKeys.list(list),
    (known) => known && { pages: known.pages.slice(0, keptPages), pageParams: known.pageParams.slice(0, keptPages) },
    { updatedAt: queryClient.getQueryState(ticketKeys.list(list))?.dataUpdatedAt },
  );
}

/** The newest version of a ticket in the cached lists. */
export function ticketInLists(queryClient: QueryClient, uuid: string): Ticket | undefined {
  return queryClient
    .getQueriesData<TicketPages>({ queryKey: ticketKeys.lists })
    .flatMap(([, list]) => list?.pages ?? [])
    .flatMap(({ tickets }) => tickets.find((ticket) => ticket.uuid === uuid) ?? [])
    .reduce<Ticket | undefined>((best, ticket) => (best && best.version >= ticket.version ? best : ticket), undefined);
}

/** The ticket was deleted, or this user may not see it any more: removes it from lists and refetches it where it is open. */
export function dropTicket(queryClient: QueryClient, ticketId: number): void {
  droppedVersions(queryClient).set(ticketId, newestVersion(queryClient, ticketId));
  queryClient.setQueriesData<TicketPages>({ queryKey: ticketKeys.lists }, (pages) =>
    pages && findIn(pages, ticketId) ? withoutTicket(pages, ticketId) : pages,
  );
  for (const [queryKey, ticket] of queryClient.getQueriesData<Ticket>({ queryKey: ticketKeys.ones })) {
    if (ticket?.id === ticketId) {
      // refetched rather than dropped: the error code tells "deleted" from "no permission"
      void queryClient.invalidateQueries({ queryKey });
    }
  }
  refreshCounts(queryClient);
}

/** The newest cached version of the ticket; -1 where it is in no list and not open. */
function newestVersion(queryClient: QueryClient, ticketId: number): number {
  const listed = queryClient
    .getQueriesData<TicketPages>({ queryKey: ticketKeys.lists })
    .map(([, pages]) => pages && findIn(pages, ticketId));
  const opened = queryClient
    .getQueriesData<Ticket>({ queryKey: ticketKeys.ones })
    .map(([, ticket]) => (ticket?.id === ticketId ? ticket : undefined));
  return Math.max(-1, ...[...listed, ...opened].map((ticket) => ticket?.version ?? -1));
}

/**
 * Lets an event put a ticket that was dropped, though its version is the known one: unlike a response it comes after the
 * deletion, as where a ticket leaves one list of this user for another.
 */
export function readmitTicket(queryClient: QueryClient, { id, version }: Ticket): void {
  const versions = droppedVersions(queryClient);
  if (version >= (versions.get(id) ?? 0)) {
    versions.delete(id);
  }
}

const dropped = new WeakMap<QueryClient, Map<number, number>>();

/** The last known versions of dropped tickets. */
function droppedVersions(queryClient: QueryClient): Map<number, number> {
  const versions = dropped.get(queryClient) ?? new Map<number, number>();
  dropped.set(queryClient, versions);
  return versions;
}

/** Changes every cached ticket that matches. */
export function changeTickets(
  queryClient: QueryClient,
  isMatch: (ticket: Ticket) => boolean,
  change: (ticket: Ticket) => Ticket,
) {
  queryClient.setQueriesData<TicketPages>(
    { queryKey: ticketKeys.lists },
    (pages) =>
      pages && {
        ...pages,
        pages: pages.pages.map((page) => ({
          ...page,
          tickets: page.tickets.some(isMatch)
            ? page.tickets.map((ticket) => (isMatch(ticket) ? change(ticket) : ticket))
            : page.tickets,
        })),
      },
  );
  queryClient.setQueriesData<Ticket>({ queryKey: ticketKeys.ones }, (ticket) =>
    ticket && isMatch(ticket) ? change(ticket) : ticket,
  );
}

let isCounting = false;
let haveCountsChanged = false;

/**
 * The counts on the tabs cannot be derived from the loaded pages: fetched once after a burst of changes, and again after the
 * answer where others came meanwhile. To fetch again before it would cancel it: on a slow server none would ever come.
 */
function refreshCounts(queryClient: QueryClient): void {
  haveCountsChanged = true;
  if (!isCounting) {
    isCounting = true;
    setTimeout(() => void fetchCounts(queryClient), 400);
  }
}

async function fetchCounts(queryClient: QueryClient): Promise<void> {
  haveCountsChanged = false;
  // does not reject: an error is shown where the counts are
  await queryClient.invalidateQueries({ queryKey: ticketKeys.counts });
  isCounting = false;
  if (haveCountsChanged) {
    refreshCounts(queryClient);
  }
}
