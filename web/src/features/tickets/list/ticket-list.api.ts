import { tickets } from "@prosa/contract/tickets";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "#web/lib/session/session.ts";
import type { TicketList } from "../ticket-lists.ts";
import { ticketKeys, type TicketPage, type TicketPages } from "../tickets.cache.ts";
import { cachedOrFetched, fetchNext } from "./page-window.ts";

/** One list of the desk, page by page (T-05). */
export function ticketListOptions(list: TicketList) {
  return infiniteQueryOptions({
    queryKey: ticketKeys.list(list),
    queryFn: ({ pageParam, client, queryKey, signal }): Promise<TicketPage> => {
      const known = client.getQueryData<TicketPages>(queryKey)?.pages ?? [];
      const cached = known[pageParam - 1];
      const fetch = (pageNumber: number): Promise<TicketPage> =>
        call(tickets.list, {
          query: {
            pageNumber,
            status: list.status,
            searchParam: list.searchParam,
            showAll: list.showAll ? "true" : "false",
            queueIds: JSON.stringify(list.queueIds),
            tags: JSON.stringify(list.tags),
            users: JSON.stringify(list.users),
            withUnreadMessages: list.withUnreadMessages ? "true" : "false",
            ...(list.order && { order: list.order }),
          },
          signal,
        });
      const isInvalidated = client.getQueryState(queryKey)?.isInvalidated === true;
      return cachedOrFetched(list, pageParam, { cached, isInvalidated }, () =>
        cached ? fetch(pageParam) : fetchNext(known, fetch),
      );
    },
    initialPageParam: 1,
    getNextPageParam: (last, all) => (last.hasMore ? all.length + 1 : undefined),
  });
}
