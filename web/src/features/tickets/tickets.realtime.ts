import type { WirePayload } from "@prosa/contract/events";
import type { Ticket } from "@prosa/contract/tickets";
import type { QueryClient } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { changeTickets, dropTicket, putTicket, readmitTicket, ticketKeys } from "./tickets.cache.ts";

/** Applies socket events to the cached lists and tickets. */
export const ticketsRealtime: RealtimeHandlers = {
  ticket: (event, queryClient) => applyTicketEvent(queryClient, event),
  // a new message carries its ticket: it moves to the top, with its unread count (T-22)
  appMessage: (event, queryClient) => {
    if (event.action === "create") {
      readmitTicket(queryClient, event.ticket);
      putTicket(queryClient, event.ticket);
    }
  },
  // Rows show tags, products and queues by name: a rename changes every ticket, a deletion removes the label.
  tag: (event, queryClient) => {
    void queryClient.invalidateQueries({ queryKey: ["tags"] });
    if (event.action !== "create") {
      relabel(queryClient, "tags", event.action === "delete" ? event.id : event.record);
    }
  },
  product: (event, queryClient) => {
    void queryClient.invalidateQueries({ queryKey: ["products"] });
    if (event.action !== "create") {
      relabel(queryClient, "products", event.action === "delete" ? event.id : event.record);
    }
  },
  queue: (event, queryClient) => {
    if (event.action === "update") {
      const { id, name, color, waitWarningMinutes, waitLimitMinutes } = event.queue;
      const queue = { id, name, color, waitWarningMinutes, waitLimitMinutes };
      changeTickets(
        queryClient,
        (ticket) => ticket.queueId === id,
        (ticket) => ({ ...ticket, queue }),
      );
    } else if (event.action === "delete") {
      changeTickets(
        queryClient,
        (ticket) => ticket.queueId === event.queueId,
        (ticket) => ({ ...ticket, queueId: null, queue: null }),
      );
      // Its tickets have no queue now, so others may see them than before: no event tells of each.
      void queryClient.invalidateQueries({ queryKey: ticketKeys.lists });
      void queryClient.invalidateQueries({ queryKey: ticketKeys.counts });
    }
  },
  // Rows name who serves a ticket, or is waited for. The open ones of a deleted user come with events of their own.
  user: (event, queryClient) => {
    if (event.action === "delete") {
      changeTickets(
        queryClient,
        (ticket) => ticket.userId === event.userId,
        (ticket) => ({ ...ticket, userId: null, user: null }),
      );
    } else {
      const { id, name } = event.user;
      changeTickets(
        queryClient,
        ({ user }) => user?.id === id && user.name !== name,
        (ticket) => ({ ...ticket, user: { id, name } }),
      );
    }
  },
  // Tickets of a deleted line stay, without a line.
  whatsapp: (event, queryClient) => {
    if (event.action === "delete") {
      changeTickets(
        queryClient,
        (ticket) => ticket.whatsappId === event.whatsappId,
        (ticket) => ({ ...ticket, whatsappId: null, whatsapp: null }),
      );
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

/**
 * A list that lost a ticket is told before the one that has it now, so most deletions are followed by the update. It moves the
 * row by itself: dropped first, the row would lose its place in search results, its focus and its selection.
 */
const dropAfterMs = 50;
const drops = new Map<number, ReturnType<typeof setTimeout>>();

function applyTicketEvent(queryClient: QueryClient, event: WirePayload<"ticket">): void {
  switch (event.action) {
    case "update":
      clearTimeout(drops.get(event.ticket.id));
      readmitTicket(queryClient, event.ticket);
      putTicket(queryClient, event.ticket);
      break;
    case "delete":
      clearTimeout(drops.get(event.ticketId));
      drops.set(
        event.ticketId,
        setTimeout(() => dropTicket(queryClient, event.ticketId), dropAfterMs),
      );
      break;
    case "updateUnread":
      changeTickets(
        queryClient,
        ({ id }) => id === event.ticketId,
        (ticket) => ({ ...ticket, unreadMessages: 0 }),
      );
      break;
    case "reload":
      if (event.mergedId !== null) {
        applyMerge(queryClient, event.mergedId, event.ticket);
      }
      break;
  }
}

/** A merged ticket is replaced by the one it was merged into, also where it is open. */
function applyMerge(queryClient: QueryClient, mergedId: number, into: Ticket): void {
  queryClient.setQueriesData<Ticket>({ queryKey: ["tickets", "one"] }, (ticket) =>
    ticket?.id === mergedId ? into : ticket,
  );
  dropTicket(queryClient, mergedId);
  putTicket(queryClient, into);
}

/** Replaces a tag or product on every ticket; a bare id removes it. */
function relabel<K extends "tags" | "products">(queryClient: QueryClient, key: K, label: Ticket[K][number] | number) {
  const id = typeof label === "number" ? label : label.id;
  changeTickets(
    queryClient,
    (ticket) => ticket[key].some((known) => known.id === id),
    (ticket) => ({
      ...ticket,
      [key]:
        typeof label === "number"
          ? ticket[key].filter((known) => known.id !== id)
          : ticket[key].map((known) => (known.id === id ? label : known)),
    }),
  );
}

function pick({ id, name, number, email, isGroup, urlPicture, profilePicUrl }: Ticket["contact"]): Ticket["contact"] {
  return { id, name, number, email, isGroup, urlPicture, profilePicUrl };
}
