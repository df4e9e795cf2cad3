import { isInBell } from "@prosa/contract/notifications";
import type { Ticket } from "@prosa/contract/tickets";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ticketListOptions, ticketsRealtime, type TicketList } from "#web/features/tickets/index.ts";
import { registerRealtime } from "#web/lib/realtime.ts";
import { useUser } from "#web/lib/session.ts";
import { ringableOf } from "./ringable.ts";

// On every screen, not only where the desk is: the same handlers, which the registry keeps once.
registerRealtime(ticketsRealtime);

/** What stands in the bell (N-02): newest first, kept right by the events that keep the desk's lists right. */
export function useUnreadTickets(): { readonly tickets: readonly Ticket[]; readonly isLoading: boolean } {
  const me = ringableOf(useUser());
  const list = (status: TicketList["status"]): TicketList => ({
    status,
    showAll: false,
    // 0 stands for "no queue"
    queueIds: [...me.queueIds, 0],
    tags: [],
    users: [],
    searchParam: "",
    withUnreadMessages: true,
  });
  const open = useInfiniteQuery(ticketListOptions(list("open")));
  const waiting = useInfiniteQuery({ ...ticketListOptions(list("pending")), enabled: me.allTicket });

  const tickets = [...(open.data?.pages ?? []), ...(me.allTicket ? (waiting.data?.pages ?? []) : [])]
    .flatMap((page) => page.tickets)
    .filter((ticket) => isInBell(me, ticket))
    .toSorted((a, b) => Date.parse(b.lastMessageAt ?? b.createdAt) - Date.parse(a.lastMessageAt ?? a.createdAt));
  return { tickets, isLoading: open.isLoading || waiting.isLoading };
}
