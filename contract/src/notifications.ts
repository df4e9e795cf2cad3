import type { Message } from "./messages.ts";
import type { Ticket } from "./tickets.ts";

/** What of a person decides what rings for them. */
export interface NotificationRecipient {
  readonly userId: number;
  readonly queueIds: readonly number[];
  readonly allTicket: boolean;
}

type TicketRouting = Pick<Ticket, "status" | "userId" | "queueId" | "isGroup">;

/**
 * Does a new message ring (specification 1, section 4, Notifications)? Incoming and unread, on a ticket that does not
 * wait, is nobody's or mine, stands in a queue of mine or in none, is no group and is not before my eyes. Browser and
 * server ask the same: what the one shows, the other pushes to devices that are closed.
 */
export function shouldNotify(
  person: NotificationRecipient,
  message: Pick<Message, "fromMe" | "read">,
  ticket: TicketRouting,
  isBeforeMyEyes: boolean,
): boolean {
  return (
    !message.fromMe &&
    !message.read &&
    ticket.status !== "pending" &&
    (ticket.userId === null || ticket.userId === person.userId) &&
    isOfMyQueues(person, ticket) &&
    !ticket.isGroup &&
    !isBeforeMyEyes
  );
}

/**
 * Does a ticket with unread messages stand in this person's bell? Their own and unassigned ones; waiting ones only
 * where allTicket is enabled (N-02).
 */
export function isInBell(
  person: NotificationRecipient,
  ticket: Omit<TicketRouting, "isGroup"> & Pick<Ticket, "unreadMessages">,
): boolean {
  if (ticket.unreadMessages === 0 || ticket.status === "closed" || !isOfMyQueues(person, ticket)) {
    return false;
  }
  return ticket.status === "pending" ? person.allTicket : ticket.userId === null || ticket.userId === person.userId;
}

function isOfMyQueues({ queueIds }: NotificationRecipient, { queueId }: Pick<Ticket, "queueId">): boolean {
  return queueId === null || queueIds.includes(queueId);
}

/** How long a notification stays (ms; specification 1, section 4). */
export const notificationMs = 3_000;
