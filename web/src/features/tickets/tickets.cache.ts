import type { FoundMessage, Ticket } from "@prosa/contract/tickets";
import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { keepInvalidated } from "#web/lib/records/keep-invalidated.ts";
import { refetchInTurn } from "#web/lib/records/refetch-in-turn.ts";
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

/** Inserts, replaces or removes a ticket in every cached list, by whether it belongs there. An outdated one changes nothing. */
export function putTicket(queryClient: QueryClient, ticket: Ticket): void {
  const session = currentSession();
  if (session.state !== "in") {
    return;
  }
  if (isOutdated(queryClient, ticket)) {
    return;
  }
  droppedVersions(queryClient).delete(ticket.id);
  const viewer = viewerOf(session.user);
  const before = newestCached(queryClient, ticket.id);
  keepInvalidated(queryClient, () => {
    for (const [queryKey, pages] of queryClient.getQueriesData<TicketPages>({ queryKey: ticketKeys.lists })) {
      const list = queryKey[2] as TicketList;
      // a lane of the kanban has rules of its own, and places the ticket itself
      if (pages && !("laneId" in list)) {
        queryClient.setQueryData<TicketPages>(queryKey, placeTicket(pages, list, viewer, ticket, before));
      }
    }
    queryClient.setQueryData(ticketKeys.one(ticket.uuid), ticket);
  });
  refreshCounts(queryClient);
}

/**
 * Does the cache know a newer version of the ticket, or that it was dropped? The response of an own request may come after the
 * event of a later change or of its deletion, and a list that the ticket has left does not know its version: it would take it in
 * again.
 */
export function isOutdated(queryClient: QueryClient, { id, version }: Pick<Ticket, "id" | "version">): boolean {
  return version <= (droppedVersions(queryClient).get(id) ?? -1) || version < newestVersion(queryClient, id);
}

/** Pure: one list after a change of the ticket. `before` is the ticket as it was known until then, by whichever list. */
export function placeTicket(
  pages: TicketPages,
  list: TicketList,
  viewer: Viewer,
  ticket: Ticket,
  before?: Ticket,
): TicketPages {
  // search results stay: only the row is refreshed
  const isFound = list.searchParam !== "" && findIn(pages, ticket.id) !== undefined;
  return placeIn(pages, ticket, isFound || belongsTo(list, viewer, ticket), {
    compare: comparatorOf(list),
    wasShown: before && belongsTo(list, viewer, before),
  });
}

/**
 * Pure: puts the ticket into the pages, in their order, or takes it out of them. It is counted where it enters the list: one that
 * is in none of the loaded pages may be in the pages after them, and is new only if `wasShown` says so.
 */
export function placeIn(
  pages: TicketPages,
  ticket: Ticket,
  isShown: boolean,
  {
    compare = compareTickets,
    wasShown = isShown,
  }: {
    readonly compare?: (a: Ticket, b: Ticket) => number;
    /** Was it in the list before, as far as anybody knows? */
    readonly wasShown?: boolean | undefined;
  } = {},
): TicketPages {
  const known = findIn(pages, ticket.id);
  if (known && known.version > ticket.version) {
    return pages;
  }
  const without = known ? withoutTicket(pages, ticket.id) : pages;
  const placed = isShown ? withTicket(without, ticket, compare) : without;
  const wasCounted = known !== undefined || (wasShown && pages.pages.at(-1)?.hasMore === true);
  return withCount(placed, Number(isShown) - Number(wasCounted));
}

function withTicket(pages: TicketPages, ticket: Ticket, compare: (a: Ticket, b: Ticket) => number): TicketPages {
  const pageIndex = pages.pages.findIndex(({ tickets }) => tickets.some((other) => compare(ticket, other) < 0));
  const last = pages.pages.at(-1);
  // behind all loaded pages: a later page brings it
  if (pageIndex === -1 && last?.hasMore) {
    return pages;
  }
  const target = pageIndex === -1 ? pages.pages.length - 1 : pageIndex;
  return {
    ...pages,
    pages: pages.pages.map((page, index) =>
      index === target ? { ...page, tickets: [...page.tickets, ticket].sort(compare) } : page,
    ),
  };
}

function withoutTicket(pages: TicketPages, ticketId: number): TicketPages {
  return {
    ...pages,
    pages: pages.pages.map((page) =>
      page.tickets.some(({ id }) => id === ticketId)
        ? { ...page, tickets: page.tickets.filter(({ id }) => id !== ticketId) }
        : page,
    ),
  };
}

function withCount(pages: TicketPages, change: number): TicketPages {
  if (change === 0) {
    return pages;
  }
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
  keepInvalidated(queryClient, () =>
    queryClient.setQueryData<TicketPages>(
      ticketKeys.list(list),
      (known) => known && { pages: known.pages.slice(0, keptPages), pageParams: known.pageParams.slice(0, keptPages) },
      { updatedAt: queryClient.getQueryState(ticketKeys.list(list))?.dataUpdatedAt },
    ),
  );
}

/** The newest version of a ticket in the cached lists. */
export function ticketInLists(queryClient: QueryClient, uuid: string): Ticket | undefined {
  return newestOf(
    queryClient
      .getQueriesData<TicketPages>({ queryKey: ticketKeys.lists })
      .flatMap(([, list]) => list?.pages ?? [])
      .map(({ tickets }) => tickets.find((ticket) => ticket.uuid === uuid)),
  );
}

/** The ticket was deleted, or this user may not see it any more: removes it from lists and refetches it where it is open. */
export function dropTicket(queryClient: QueryClient, ticketId: number): void {
  droppedVersions(queryClient).set(ticketId, newestVersion(queryClient, ticketId));
  keepInvalidated(queryClient, () =>
    queryClient.setQueriesData<TicketPages>({ queryKey: ticketKeys.lists }, (pages) =>
      pages && findIn(pages, ticketId) ? withCount(withoutTicket(pages, ticketId), -1) : pages,
    ),
  );
  for (const [queryKey, ticket] of queryClient.getQueriesData<Ticket>({ queryKey: ticketKeys.ones })) {
    if (ticket?.id === ticketId) {
      // refetched rather than dropped: the error code tells "deleted" from "no permission"
      void queryClient.invalidateQueries({ queryKey });
    }
  }
  refreshCounts(queryClient);
}

/** The newest cached version's number; -1 where there is none. */
function newestVersion(queryClient: QueryClient, ticketId: number): number {
  return newestCached(queryClient, ticketId)?.version ?? -1;
}

/** The newest cached version of the ticket; undefined where it is in no list and was not opened. */
function newestCached(queryClient: QueryClient, ticketId: number): Ticket | undefined {
  const listed = queryClient
    .getQueriesData<TicketPages>({ queryKey: ticketKeys.lists })
    .map(([, pages]) => pages && findIn(pages, ticketId));
  const opened = queryClient
    .getQueriesData<Ticket>({ queryKey: ticketKeys.ones })
    .map(([, ticket]) => (ticket?.id === ticketId ? ticket : undefined));
  return newestOf([...listed, ...opened]);
}

function newestOf(versions: readonly (Ticket | undefined)[]): Ticket | undefined {
  return versions.reduce(
    (best, ticket) => (ticket && (!best || ticket.version > best.version) ? ticket : best),
    undefined,
  );
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
  keepInvalidated(queryClient, () => {
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
  });
}

/** The counts on the tabs cannot be derived from the loaded pages. */
const refreshCounts = refetchInTurn(ticketKeys.counts);
