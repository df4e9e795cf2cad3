import type { SessionUser } from "@prosa/contract/auth";
import type { Ticket } from "@prosa/contract/tickets";
import { can, isAdmin } from "#web/lib/session/permissions.ts";

/** What people do to a ticket (specification 1, section 4). */
export type TicketVerb = "accept" | "return" | "resolve" | "reopen";

/** What decides which tickets the signed-in user may see and change. */
export interface Viewer {
  readonly userId: number;
  readonly isAdmin: boolean;
  /** The operator as support looks and writes to nobody. */
  readonly isSupport?: boolean;
  readonly holdsShowAll: boolean;
  /** May they see tickets without a queue? */
  readonly seesQueueless: boolean;
  readonly queueIds: readonly number[];
}

export function viewerOf(user: SessionUser): Viewer {
  return {
    userId: user.id,
    isAdmin: isAdmin(user),
    isSupport: user.support !== undefined,
    holdsShowAll: can(user, "tickets-manager:showall"),
    seesQueueless: user.profile !== "user" || user.allTicket === "enabled",
    queueIds: user.queues.map((queue) => queue.id),
  };
}

/** May this person read the ticket? The server enforces it (T-06); here it keeps lists right between fetches. */
export function canSee(viewer: Viewer, ticket: Ticket): boolean {
  if (viewer.isAdmin || ticket.userId === viewer.userId) {
    return true;
  }
  return ticket.queueId === null ? viewer.seesQueueless : viewer.queueIds.includes(ticket.queueId);
}

/** May this person accept, resolve or transfer it? Another agent's open ticket only by an admin (behaviour 4). */
export function canAct(viewer: Viewer, ticket: Ticket): boolean {
  return !viewer.isSupport && (ticket.status !== "open" || viewer.isAdmin || ticket.userId === viewer.userId);
}

/** May this person write messages in it? Only in an open ticket, and only its agent or an admin. */
export function canWrite(viewer: Viewer, ticket: Ticket): boolean {
  return ticket.status === "open" && canAct(viewer, ticket);
}

/** Does the verb lead into the conversation, or out of it? */
export function opensTicket(verb: TicketVerb): boolean {
  return verb === "accept" || verb === "reopen";
}

/** The verbs that the status allows; the last one is the primary button. */
export function allowedVerbs(ticket: Pick<Ticket, "status">, mayAct: boolean): readonly TicketVerb[] {
  switch (ticket.status) {
    case "pending":
      return ["accept"];
    case "open":
      return mayAct ? ["return", "resolve"] : [];
    case "closed":
      return ["reopen"];
  }
}
