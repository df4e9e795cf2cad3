/**
 * Which pages of an infinite list are fetched again, and which are served from the cache.
 *
 * After a gap in the live connection every list is refetched, an infinite list page by page. A list that was scrolled
 * through many pages refetches only the visible ones; the others stay stale until the reader scrolls near them.
 */
import { pageSize } from "@prosa/contract/common";
import type { Ticket } from "@prosa/contract/tickets";
import type { InfiniteQueryObserverResult } from "@tanstack/react-query";
import { beforeAnyGap, lastGapAt } from "#web/lib/realtime/refetchAll.ts";
import { staleMs } from "#web/lib/records/queryClient.ts";
import type { TicketList } from "../ticket-lists.ts";
import type { TicketPage } from "../tickets.cache.ts";

/** Page numbers, counted from 1. */
interface PageWindow {
  readonly first: number;
  readonly last: number;
}

/** The visible pages of each list, by its JSON. A list that is not in here fetches all its pages. */
const windows = new Map<string, PageWindow>();

/** Registers the pages that have a visible row; returns the function that removes the registration. */
export function setVisiblePages(list: TicketList, visible: PageWindow): () => void {
  const key = JSON.stringify(list);
  windows.set(key, visible);
  return () => {
    if (windows.get(key) === visible) {
      windows.delete(key);
    }
  };
}

/**
 * The cached page if it is not visible or still fresh, else what `fetch` returns. In a list that was invalidated, as when a queue is
 * deleted, none is fresh: what is not visible is stale from then on.
 */
export async function cachedOrFetched(
  list: TicketList,
  page: number,
  { cached, isInvalidated }: { readonly cached: TicketPage | undefined; readonly isInvalidated: boolean },
  fetch: () => Promise<TicketPage>,
): Promise<TicketPage> {
  const visible = windows.get(JSON.stringify(list));
  const isVisible = !visible || (page >= visible.first && page <= visible.last);
  if (cached && !isVisible) {
    return isInvalidated ? { ...cached, asOf: beforeAnyGap } : cached;
  }
  if (cached && !isInvalidated && !isStale(cached) && Date.now() - fetchedAt(cached) < staleMs) {
    return cached;
  }
  const startedAt = Date.now();
  return { ...(await fetch()), asOf: startedAt };
}

/** Is a visible page from before the last gap, or the last change that invalidated its list? */
export function hasStalePage(pages: readonly TicketPage[], { first, last }: PageWindow): boolean {
  return pages.slice(first - 1, last).some(isStale);
}

/**
 * The rows of a list without duplicates, and the page of each row. A ticket that moved during a gap is in a fresh page
 * and still in a stale one: the fresh page wins.
 */
export function rowsOf(pages: readonly TicketPage[]): {
  readonly rows: readonly Ticket[];
  readonly pageOf: readonly number[];
} {
  const fresh = pages.some(isStale) ? pages.filter((page) => !isStale(page)) : [];
  const inFresh = new Set(fresh.flatMap(({ tickets }) => tickets.map(({ id }) => id)));
  const rows = new Map<number, { readonly ticket: Ticket; readonly page: number }>();
  pages.forEach((page, index) => {
    for (const ticket of page.tickets) {
      if (!rows.has(ticket.id) && !(isStale(page) && inFresh.has(ticket.id))) {
        rows.set(ticket.id, { ticket, page: index + 1 });
      }
    }
  });
  const all = [...rows.values()];
  return { rows: all.map(({ ticket }) => ticket), pageOf: all.map(({ page }) => page) };
}

/**
 * Fetches the page that goes on after these. Its number follows from the rows that are left: those that left the list meanwhile
 * moved the server's pages up, and the page after the last one would skip as many (as decision 0146 has it for the board).
 */
export async function fetchNext(
  pages: readonly TicketPage[],
  fetch: (pageNumber: number) => Promise<TicketPage>,
): Promise<TicketPage> {
  const { rows } = rowsOf(pages);
  const byRows = Math.floor(rows.length / pageSize.tickets) + 1;
  const pageNumber = Math.max(byRows, (pages.at(-1)?.repeated ?? 0) + 1);
  const page = await fetch(pageNumber);
  const known = new Set(rows.map(({ id }) => id));
  // One of a list that is behind the server is not asked for again and again.
  return page.tickets.every(({ id }) => known.has(id)) ? { ...page, repeated: pageNumber } : page;
}

/**
 * Fetches the page after those that are loaded, unless it is on its way or has failed: then the button of its error asks. A running fetch
 * of the list ends first, and the list asks again: cancelled, as is usual, it would leave old what it was to fetch, such as a list that a
 * deleted queue has invalidated.
 */
export function fetchMore(
  query: Pick<
    InfiniteQueryObserverResult,
    "hasNextPage" | "isFetchingNextPage" | "isFetchNextPageError" | "fetchNextPage"
  >,
): void {
  if (query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError) {
    void query.fetchNextPage({ cancelRefetch: false });
  }
}

function isStale(page: TicketPage): boolean {
  return fetchedAt(page) < lastGapAt();
}

function fetchedAt(page: TicketPage): number {
  return page.asOf ?? 0;
}
