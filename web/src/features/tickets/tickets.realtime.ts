import type { WirePayload } from "@prosa/contract/events";
import type { Ticket } from "@prosa/contract/tickets";
import type { QueryClient } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime.ts";
import { changeTickets, dropTicket, putTicket } from "./tickets.cache.ts";

/** What the desk does when the server says that a ticket changed: lists and the open ticket, in the cache alone. */
export const ticketsRealtime: RealtimeHandlers = {
  ticket: (event, queryClient) => applyTicketEvent(queryClient, event),
  // a new message brings its ticket as it is now: to the top, with its unread count (T-22)
  appMessage: (event, queryClient) => {
    if (event.action === "create") {
      putTicket(queryClient, event.ticket);
    }
  },
  contact: (event, queryClient) => {
    if (event.action !== "delete") {
      const { contact } = event;
      changeTickets(
        queryClient,
        (ticket) => ticket.contactId === contact.id,
        (ticket) => ({
          ...ticket,
          contact: { ...ticket.contact, ...pick(contact) },
        }),
      );
    }
  },
};

function applyTicketEvent(queryClient: QueryClient, event: WirePayload<"ticket">): void {
  switch (event.action) {
    case "update":
      putTicket(queryClient, event.ticket);
      break;
    case "delete":
      dropTicket(queryClient, event.ticketId);
      break;
    case "updateUnread":
      changeTickets(
        queryClient,
        ({ id }) => id === event.ticketId,
        (ticket) => ({ ...ticket, unreadMessages: 0 }),
      );
      break;
  }
}

function pick({ id, name, number, email, isGroup, profilePicUrl }: Ticket["contact"]): Ticket["contact"] {
  return { id, name, number, email, isGroup, profilePicUrl };
}
