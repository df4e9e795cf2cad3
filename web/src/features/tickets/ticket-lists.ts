import type { Ticket, TicketStatus } from "@prosa/contract/tickets";

/** One list of the desk: what its tab and filters ask for. */
export interface TicketList {
  readonly status: TicketStatus | "";
  readonly showAll: boolean;
  /** Empty: every queue that the viewer may see. 0 stands for "no queue". */
  readonly queueIds: readonly number[];
  readonly tags: readonly number[];
  readonly users: readonly number[];
  readonly searchParam: string;
  readonly withUnreadMessages: boolean;
}

/** What of the signed-in user decides which tickets a list shows. */
export interface Viewer {
  readonly userId: number;
  readonly isAdmin: boolean;
  readonly holdsShowAll: boolean;
  /** Are tickets without a queue theirs to see? */
  readonly seesQueueless: boolean;
  readonly queueIds: readonly number[];
}

/** May this person read the ticket at all? The server asks the same (T-06); here it keeps the lists right between fetches. */
export function canSee(viewer: Viewer, ticket: Ticket): boolean {
  if (viewer.isAdmin || ticket.userId === viewer.userId) {
    return true;
  }
  return ticket.queueId === null ? viewer.seesQueueless : viewer.queueIds.includes(ticket.queueId);
}

/** May this person move the ticket on? Another agent's open ticket only by an admin (behaviour 4). */
export function canAct(viewer: Viewer, ticket: Ticket): boolean {
  return ticket.status !== "open" || viewer.isAdmin || ticket.userId === viewer.userId;
}

/** May this person write in it? It has to be open, and theirs or they an admin. */
export function canWrite(viewer: Viewer, ticket: Ticket): boolean {
  return ticket.status === "open" && canAct(viewer, ticket);
}

/**
 * Does the ticket belong in the list? The server's scope says the same, so that a list is after a live change what a
 * fetch would give. A search is answered by the server alone, so nothing enters it live.
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
  // Whatever queue is ticked, one's own tickets are shown: they are this person's work.
  const isWork = isMine && (isListOfMine || !viewer.isAdmin);
  return (
    (isWork || list.queueIds.length === 0 || list.queueIds.includes(ticket.queueId ?? 0)) &&
    (list.tags.length === 0 || ticket.tags.some((tag) => list.tags.includes(tag.id))) &&
    (list.users.length === 0 || (ticket.userId !== null && list.users.includes(ticket.userId))) &&
    (!list.withUnreadMessages || ticket.unreadMessages > 0)
  );
}

/**
 * Newest word first; the same order as the server's. Times are compared as they are written, all alike by the server:
 * a list of thousands is gone through at each event.
 */
export function compareTickets(a: Ticket, b: Ticket): number {
  const [timeOfA, timeOfB] = [a.lastMessageAt ?? a.createdAt, b.lastMessageAt ?? b.createdAt];
  return timeOfA === timeOfB ? b.id - a.id : timeOfA < timeOfB ? 1 : -1;
}
