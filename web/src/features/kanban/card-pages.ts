/**
 * How much of a lane is read from the server?
 *
 * A lane loses cards as a matter of course: each that moves away shifts the server's pages. So its cards are one flat run from
 * the newest on, and the next page to fetch follows from how many there are. After a gap in the live connection only so many
 * are fetched again as the user has looked at (N-05).
 */
import { pageSize } from "@prosa/contract/common";
import type { TicketPage } from "#web/features/tickets/index.ts";
import { lastGapAt } from "#web/lib/realtime/refetchAll.ts";
import type { CardList } from "./lanes.ts";

interface Wish {
  /** Cards down to the last visible one. */
  readonly looked: number;
  /** The user has come near the end of the cards that are known. */
  readonly isMore: boolean;
}

const nothing: Wish = { looked: 0, isMore: false };
const wishes = new Map<string, Wish>();

/** Notes how far down the user looks: a refetch reads so many. */
export function noteLookedAt(list: CardList, looked: number): void {
  wishes.set(JSON.stringify(list), { ...wishOf(list), looked });
}

/** The next fetch of the list reads one page more. */
export function wishMore(list: CardList): void {
  wishes.set(JSON.stringify(list), { ...wishOf(list), isMore: true });
}

/** The list is not shown any more: opened again, it reads one page. */
export function forgetLookedAt(list: CardList): void {
  wishes.delete(JSON.stringify(list));
}

/** Reads one page more behind the known cards, or from the top as many as were looked at. `known` is asked after each wait. */
export async function readCards(
  list: CardList,
  known: () => TicketPage | undefined,
  fetchPage: (pageNumber: number) => Promise<TicketPage>,
): Promise<TicketPage> {
  const { isMore, looked } = wishOf(list);
  const before = known();
  if (isMore && before && (before.asOf ?? 0) >= lastGapAt()) {
    const page = await fetchPage(Math.floor(before.tickets.length / pageSize.kanban) + 1);
    wishes.set(JSON.stringify(list), { ...wishOf(list), isMore: false });
    return appended(known() ?? before, page);
  }
  const asOf = Date.now();
  let all = await fetchPage(1);
  for (let next = 2; all.hasMore && (next - 1) * pageSize.kanban < looked; next += 1) {
    all = appended(all, await fetchPage(next));
  }
  return { ...all, asOf };
}

/** Pure: pages overlap where cards came in above them; a card that is known stays as it is. */
export function appended(known: TicketPage, page: TicketPage): TicketPage {
  const ids = new Set(known.tickets.map(({ id }) => id));
  return {
    ...page,
    tickets: [...known.tickets, ...page.tickets.filter(({ id }) => !ids.has(id))],
    asOf: known.asOf ?? 0,
  };
}

function wishOf(list: CardList): Wish {
  return wishes.get(JSON.stringify(list)) ?? nothing;
}
