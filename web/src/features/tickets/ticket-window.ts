/**
 * Which pages of a list are asked for, and which only shown as they are known?
 *
 * After a gap in the live line every list is fetched again, and an infinite one page after page. Of a list that is read in
 * its depth only the pages in sight are; the others are old until somebody comes near them.
 */
import type { Ticket } from "@prosa/contract/tickets";
import { lastGap } from "#web/lib/fetchAgain.ts";
import { staleMs } from "#web/lib/queryClient.ts";
import type { TicketList } from "./ticket-lists.ts";
import type { TicketPage } from "./tickets.cache.ts";

interface Sight {
  readonly first: number;
  readonly last: number;
}

/** By list; one that nobody looks at in its depth has its few pages all in sight. */
const sights = new Map<string, Sight>();

/** Pages, counted from 1, that have a row in sight; returns how to look away. */
export function lookAt(list: TicketList, sight: Sight): () => void {
  const key = JSON.stringify(list);
  sights.set(key, sight);
  return () => {
    if (sights.get(key) === sight) {
      sights.delete(key);
    }
  };
}

/** The page as it is known where it need not be asked for, else what `fetch` brings. */
export async function freshOrKnown(
  list: TicketList,
  page: number,
  known: TicketPage | undefined,
  fetch: () => Promise<TicketPage>,
): Promise<TicketPage> {
  const sight = sights.get(JSON.stringify(list));
  const isInSight = !sight || (page >= sight.first && page <= sight.last);
  if (known && (!isInSight || (!isOld(known) && Date.now() - asOf(known) < staleMs))) {
    return known;
  }
  const began = Date.now();
  return { ...(await fetch()), asOf: began };
}

/** Does a page in sight come from before the last gap? */
export function isSightOld(pages: readonly TicketPage[], { first, last }: Sight): boolean {
  return pages.slice(first - 1, last).some(isOld);
}

/**
 * The rows of a list, each ticket once, and the page of each row. A ticket that moved during a gap stands in a fresh page
 * and still in an old one.
 */
export function rowsOf(pages: readonly TicketPage[]): {
  readonly rows: readonly Ticket[];
  readonly pageOf: readonly number[];
} {
  const fresh = pages.some(isOld) ? pages.filter((page) => !isOld(page)) : [];
  const inFresh = new Set(fresh.flatMap(({ tickets }) => tickets.map(({ id }) => id)));
  const rows = new Map<number, { readonly ticket: Ticket; readonly page: number }>();
  pages.forEach((page, index) => {
    for (const ticket of page.tickets) {
      if (!rows.has(ticket.id) && !(isOld(page) && inFresh.has(ticket.id))) {
        rows.set(ticket.id, { ticket, page: index + 1 });
      }
    }
  });
  const all = [...rows.values()];
  return { rows: all.map(({ ticket }) => ticket), pageOf: all.map(({ page }) => page) };
}

function isOld(page: TicketPage): boolean {
  return asOf(page) < lastGap();
}

function asOf(page: TicketPage): number {
  return page.asOf ?? 0;
}
