import type { Ticket } from "@prosa/contract/tickets";
import type { QueryClient } from "@tanstack/react-query";
import { findIn, isOutdated, placeIn, ticketKeys, viewerOf, type TicketPages } from "#web/features/tickets/index.ts";
import { keepInvalidated } from "#web/lib/records/keep-invalidated.ts";
import { refetchInTurn } from "#web/lib/records/refetch-in-turn.ts";
import { currentSession } from "#web/lib/session/session.ts";
import { holdsCard, laneIdsOf, type BoardFilter, type CardList } from "./lanes.ts";

export interface LaneCounts {
  readonly lanes: readonly { readonly laneId: number; readonly count: number }[];
}

/** Cards are lists of tickets: what changes a ticket in every list (names, colours, a deletion) changes it here too. */
export const kanbanKeys = {
  cards: ticketKeys.list as (list: CardList) => ReturnType<typeof ticketKeys.list>,
  lanes: ["kanban", "lanes"] as const,
  counts: ["kanban", "counts"] as const,
  countsOf: (filter: BoardFilter) => ["kanban", "counts", filter] as const,
};

/** Puts a changed ticket into the lanes that hold it, and out of the others. An outdated one changes nothing. */
export function putCard(queryClient: QueryClient, ticket: Ticket): void {
  const session = currentSession();
  if (session.state !== "in" || isOutdated(queryClient, ticket)) {
    return;
  }
  const viewer = viewerOf(session.user);
  const lists = cardLists(queryClient);
  // Only the server can search: a card that another lane has found is found in its new one too.
  const finds = new Set(lists.filter(({ pages }) => findIn(pages, ticket.id)).map(({ list }) => searchOf(list)));
  keepInvalidated(queryClient, () => {
    for (const { list, pages } of lists) {
      const isShown = holdsCard(list, viewer, ticket, finds.has(searchOf(list)));
      queryClient.setQueryData<TicketPages>(kanbanKeys.cards(list), placeIn(pages, ticket, isShown));
    }
  });
}

/** Is the ticket where it was, as far as the loaded cards tell? Then no lane's count has changed. */
export function staysInPlace(queryClient: QueryClient, ticket: Ticket): boolean {
  return cardLists(queryClient).some(({ pages }) => {
    const known = findIn(pages, ticket.id);
    return known !== undefined && placeOf(known) === placeOf(ticket);
  });
}

/** Counts a confirmed move at once; the server's counts come a moment later, which may have counted it already. */
export function countMove(queryClient: QueryClient, from: number, to: number): void {
  keepInvalidated(queryClient, () =>
    queryClient.setQueriesData<LaneCounts>(
      { queryKey: kanbanKeys.counts },
      (counts) =>
        counts && {
          lanes: counts.lanes.map(({ laneId, count }) => ({
            laneId,
            count: Math.max(0, count + Number(laneId === to) - Number(laneId === from)),
          })),
        },
    ),
  );
  refreshLaneCounts(queryClient);
}

/** Fetches every card again, as when a tag becomes a lane. */
export function refetchCards(queryClient: QueryClient): void {
  for (const { list } of cardLists(queryClient)) {
    void queryClient.invalidateQueries({ queryKey: kanbanKeys.cards(list), exact: true });
  }
  void queryClient.invalidateQueries({ queryKey: kanbanKeys.counts });
}

/** The loaded cards do not tell how many a lane holds: the server is asked once after a burst of changes. */
export const refreshLaneCounts = refetchInTurn(kanbanKeys.counts);

function cardLists(queryClient: QueryClient) {
  return queryClient
    .getQueriesData<TicketPages>({ queryKey: ticketKeys.lists })
    .flatMap(([key, pages]) => (pages && isCardList(key[2]) ? [{ list: key[2], pages }] : []));
}

function isCardList(list: unknown): list is CardList {
  return typeof list === "object" && list !== null && "laneId" in list;
}

function searchOf({ laneId: _, ...filter }: CardList): string {
  return JSON.stringify(filter);
}

function placeOf(ticket: Ticket): string {
  return JSON.stringify([laneIdsOf(ticket), ticket.status, ticket.userId, ticket.queueId]);
}
