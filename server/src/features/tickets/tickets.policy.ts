import { isAdmin } from "@prosa/contract";
import type { TicketStatus } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Actor } from "#server/platform/ctx.ts";

/**
 * Who may see and act on a ticket: rights that depend on the ticket. Rights that depend on the user alone (who may delete
 * one) are the `access` of the call in contract/src/tickets.ts; which profile holds them: contract/src/permissions.ts.
 */

/** Status, owner and queue of a ticket: what the rights on it depend on, and which lists and socket rooms it is in. */
export interface TicketAssignment {
  readonly status: TicketStatus;
  readonly userId: number | null;
  readonly queueId: number | null;
}

/**
 * Who may see a ticket (T-06): an admin every one; a supervisor those of their queues and those without a queue;
 * an agent those of their queues, their own, and those without a queue where allTicket is enabled.
 * A system actor sees every ticket of the company. The same rule for lists: `list/list-scope.ts`;
 * for sockets: `realtime/socket-rooms.ts`.
 */
export function canSee(actor: Actor, ticket: Pick<TicketAssignment, "userId" | "queueId">): boolean {
  if (actor.kind !== "user" || isAdmin(actor)) {
    return true;
  }
  if (ticket.userId === actor.userId) {
    return true;
  }
  return ticket.queueId === null ? seesQueueless(actor) : actor.queueIds.includes(ticket.queueId);
}

/** May this user see tickets without a queue? */
export function seesQueueless(actor: Extract<Actor, { kind: "user" }>): boolean {
  return actor.profile !== "user" || actor.allTicket;
}

/** Who may act on a ticket: whoever may see it; on another agent's open ticket only that agent and admins (behaviour 4). */
export function canAct(actor: Actor, ticket: TicketAssignment): boolean {
  if (!canSee(actor, ticket)) {
    return false;
  }
  if (actor.kind !== "user" || isAdmin(actor)) {
    return true;
  }
  return ticket.status !== "open" || ticket.userId === actor.userId;
}

/** May this user create, accept or reopen a ticket in this queue? */
export function canPutInto(actor: Actor, queueId: number | null): boolean {
  if (actor.kind !== "user" || isAdmin(actor)) {
    return true;
  }
  return queueId === null ? seesQueueless(actor) : actor.queueIds.includes(queueId);
}

/** ERR_NO_PERMISSION unless `canSee` (T-17). */
export function mustSee(actor: Actor, ticket: Pick<TicketAssignment, "userId" | "queueId">): void {
  if (!canSee(actor, ticket)) {
    throw new AppError("ERR_NO_PERMISSION");
  }
}

/** ERR_NO_PERMISSION unless `canAct`. */
export function mustAct(actor: Actor, ticket: TicketAssignment): void {
  if (!canAct(actor, ticket)) {
    throw new AppError("ERR_NO_PERMISSION");
  }
}
