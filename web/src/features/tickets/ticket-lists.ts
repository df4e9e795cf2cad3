import type { Ticket, TicketOrder, TicketStatus } from "@prosa/contract/tickets";
import { canSee, type Viewer } from "./tickets.policy.ts";

/** One list of the desk: the query of its tab and filters. */
export interface TicketList {
  readonly status: TicketStatus | "";
  readonly showAll: boolean;
  /** Empty: every queue that the viewer may see. 0 stands for "no queue". */
  readonly queueIds: readonly number[];
  readonly tags: readonly number[];
  readonly users: readonly number[];
  readonly searchParam: string;
  readonly withUnreadMessages: boolean;
  /** Default: newest first. */
  readonly order?: TicketOrder;
}

/**
 * Does the ticket belong in the list? The same rule as the server's query, so that a list after a socket event equals a
 * fresh fetch. Only the server can answer a text search: nothing enters its list by an event.
 */
export function belongsTo(list: TicketList, viewer: Viewer, ticket: Ticket): boolean {
  if (list.searchParam !== "" || !canSee(viewer, ticket)) {
    return false;
  }
  if (list.status !== "" && ticket.status !== list.status) {
    return false;
  }
  const isMine = ticket.userId === viewer.userId;
  const isListOfMine = list.status === "open" && !(list.showAll && viewer.holdsShowAll);
  if (isListOfMine && !isMine) {
    return false;
  }
  // The queue filter never hides a person's own tickets: they are their work.
  const ignoresQueues = isMine && (isListOfMine || !viewer.isAdmin);
  return (
    (ignoresQueues || list.queueIds.length === 0 || list.queueIds.includes(ticket.queueId ?? 0)) &&
    (list.tags.length === 0 || ticket.tags.some((tag) => list.tags.includes(tag.id))) &&
    (list.users.length === 0 || (ticket.userId !== null && list.users.includes(ticket.userId))) &&
    (!list.withUnreadMessages || ticket.unreadMessages > 0)
  );
}

/** Compares two tickets of a list in its order, as the server sorts. */
export function comparatorOf({ order }: Pick<TicketList, "order">): typeof compareTickets {
  return order === "waiting" ? compareWaiting : compareTickets;
}

/** Who waits longest first, then those who do not wait, newest first. */
function compareWaiting(a: Ticket, b: Ticket): number {
  if (a.waitingSince === b.waitingSince) {
    return compareTickets(a, b);
  }
  if (a.waitingSince === null || b.waitingSince === null) {
    return a.waitingSince === null ? 1 : -1;
  }
  return a.waitingSince < b.waitingSince ? -1 : 1;
}

/**
 * Newest last message first, as the server sorts. Times are compared as strings, which is correct because the server
 * formats them all alike, and fast: a list of thousands is sorted at each event.
 */
export function compareTickets(a: Ticket, b: Ticket): number {
  const [timeOfA, timeOfB] = [a.lastMessageAt ?? a.createdAt, b.lastMessageAt ?? b.createdAt];
  return timeOfA === timeOfB ? b.id - a.id : timeOfA < timeOfB ? 1 : -1;
}
