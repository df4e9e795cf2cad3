import { kanban } from "@prosa/contract/kanban";
import { tags, type Tag } from "@prosa/contract/tags";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { TicketPages } from "#web/features/tickets/index.ts";
import { call } from "#web/lib/session/session.ts";
import { readCards } from "./card-pages.ts";
import { kanbanKeys } from "./kanban.cache.ts";
import type { BoardFilter, CardList } from "./lanes.ts";

/** The tags that are lanes, in their order. */
export const laneTagsOptions = queryOptions({
  queryKey: kanbanKeys.lanes,
  queryFn: ({ signal }) => call(tags.kanban, { signal }),
});

/** How many cards each lane holds. */
export function laneCountsOptions(filter: BoardFilter) {
  return queryOptions({
    queryKey: kanbanKeys.countsOf(filter),
    queryFn: ({ signal }) => call(kanban.counts, { query: queryOf(filter), signal }),
  });
}

/** The cards of a lane, or of all, as far as the user has looked. */
export function cardsOptions(list: CardList) {
  return queryOptions({
    queryKey: kanbanKeys.cards(list),
    queryFn: async ({ client, queryKey, signal }): Promise<TicketPages> => {
      const page = await readCards(
        list,
        () => client.getQueryData<TicketPages>(queryKey)?.pages[0],
        (pageNumber) =>
          call(kanban.cards, {
            query: { ...queryOf(list), pageNumber, ...(list.laneId !== null && { laneId: list.laneId }) },
            signal,
          }),
      );
      return { pages: [page], pageParams: [1] };
    },
    // Comparing thousands of cards field by field would cost a frame at each event.
    structuralSharing: false,
  });
}

/** Saves the order of the lanes; it shows at once, and goes back where it is refused. */
export function useOrderLanes() {
  const queryClient = useQueryClient();
  const { queryKey } = laneTagsOptions;
  return useMutation({
    mutationFn: (lanes: readonly Tag[]) => call(kanban.orderLanes, { body: { tagIds: lanes.map(({ id }) => id) } }),
    onMutate: async (lanes) => {
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, { lista: [...lanes] });
    },
    onSuccess: (saved) => queryClient.setQueryData(queryKey, saved),
    onError: () => queryClient.invalidateQueries({ queryKey }),
  });
}

function queryOf({ searchParam, queueIds, showAll }: BoardFilter) {
  return { searchParam, queueIds: JSON.stringify(queueIds), showAll: showAll ? "true" : "false" } as const;
}
