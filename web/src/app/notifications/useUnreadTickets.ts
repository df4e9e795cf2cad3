import { isInBell } from "@prosa/contract/notifications";
import type { Ticket } from "@prosa/contract/tickets";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ticketListOptions, ticketsRealtime, type TicketList } from "#web/features/tickets/index.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { useUser } from "#web/lib/session/session.ts";
import { notificationRecipientOf } from "./notificationRecipient.ts";

// Registered on every screen, not only on the desk; the registry keeps the same handlers once.
registerRealtime(ticketsRealtime);

/** The tickets of the bell (N-02): newest first, updated by the same events as the desk's lists. */
export function useUnreadTickets(): { readonly tickets: readonly Ticket[]; readonly isLoading: boolean } {
  const me = notificationRecipientOf(useUser());
  const list = (status: TicketList["status"], users: readonly number[] = []): TicketList => ({
    status,
    showAll: false,
    // 0 stands for "no queue"
    queueIds: [...me.queueIds, 0],
    tags: [],
    users,
    searchParam: "",
    withUnreadMessages: true,
  });
  const open = useInfiniteQuery(ticketListOptions(list("open")));
  // Without allTicket only those that wait for this user
  const waiting = useInfiniteQuery(ticketListOptions(list("pending", me.allTicket ? [] : [me.userId])));

  const tickets = [...(open.data?.pages ?? []), ...(waiting.data?.pages ?? [])]
    .flatMap((page) => page.tickets)
    .filter((ticket) => isInBell(me, ticket))
    .toSorted((a, b) => Date.parse(b.lastMessageAt ?? b.createdAt) - Date.parse(a.lastMessageAt ?? a.createdAt));
  return { tickets, isLoading: open.isLoading || waiting.isLoading };
}
