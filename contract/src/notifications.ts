import type { Message } from "./messages.ts";
import type { Ticket } from "./tickets.ts";

/** User fields that decide about notifications. */
export interface NotificationRecipient {
  readonly userId: number;
  readonly queueIds: readonly number[];
  readonly allTicket: boolean;
}

type TicketRouting = Pick<Ticket, "status" | "userId" | "queueId" | "isGroup">;

/**
 * Does a new message notify the user (specification 1, section 4, Notifications)? It must be incoming and unread, on a
 * ticket that is not pending, is unassigned or theirs, is in one of their queues or in none, is no group and is not open on
 * their screen; or on a ticket that waits for them. Used by the browser for notifications and by the server for push
 * messages.
 */
export function shouldNotify(
  person: NotificationRecipient,
  message: Pick<Message, "fromMe" | "read">,
  ticket: TicketRouting,
  isConversationVisible: boolean,
): boolean {
  return (
    !message.fromMe &&
    !message.read &&
    (waitsForMe(person, ticket) || isMineOrFree(person, ticket)) &&
    !ticket.isGroup &&
    !isConversationVisible
  );
}

/**
 * Is a ticket with unread messages in the user's notification list (bell)? Own and unassigned tickets; pending ones only
 * with allTicket enabled (N-02), or where they wait for this user.
 */
export function isInBell(
  person: NotificationRecipient,
  ticket: Omit<TicketRouting, "isGroup"> & Pick<Ticket, "unreadMessages">,
): boolean {
  if (ticket.unreadMessages === 0 || ticket.status === "closed") {
    return false;
  }
  return ticket.status === "pending"
    ? waitsForMe(person, ticket) || (person.allTicket && isOfMyQueues(person, ticket))
    : isMineOrFree(person, ticket);
}

/** A pending ticket has no owner: its user, if it has one, is whom a reply waits for (decision 0144). */
function waitsForMe({ userId }: NotificationRecipient, ticket: Omit<TicketRouting, "isGroup">): boolean {
  return ticket.status === "pending" && ticket.userId === userId;
}

/** Own and unassigned tickets of the user's queues that are not pending. */
function isMineOrFree(person: NotificationRecipient, ticket: Omit<TicketRouting, "isGroup">): boolean {
  const isMine = ticket.userId === null || ticket.userId === person.userId;
  return ticket.status !== "pending" && isMine && isOfMyQueues(person, ticket);
}

function isOfMyQueues({ queueIds }: NotificationRecipient, { queueId }: Pick<Ticket, "queueId">): boolean {
  return queueId === null || queueIds.includes(queueId);
}

/** Display time of a notification in ms (specification 1, section 4). */
export const notificationMs = 3_000;
