import { isAdmin } from "@prosa/contract";
import type { TicketStatus } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Actor } from "#server/platform/ctx.ts";

/**
 * Rights that depend on the ticket. Those that depend on the person alone (who may delete one) stand with the call, as
 * `access` in contract/src/tickets.ts; which profile holds them, in contract/src/permissions.ts.
 */

/** What rights on a ticket depend on. */
export interface TicketAssignment {
  readonly status: TicketStatus;
  readonly userId: number | null;
  readonly queueId: number | null;
}

/**
 * Who may see a ticket (T-06): an admin every one; a supervisor those of their queues and those without a queue;
 * an agent those of their queues, their own, and those without a queue where allTicket is enabled.
 * The machinery acts for the company and sees all of it. `tickets.scope.ts` says the same
 * for lists, `tickets.rooms.ts` for sockets.
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

/** Are tickets without a queue shown to this person? */
export function seesQueueless(actor: Extract<Actor, { kind: "user" }>): boolean {
  return actor.profile !== "user" || actor.allTicket;
}

/** Who may act: whoever sees it, but another agent's open ticket is left to that agent and to admins (behaviour 4). */
export function canAct(actor: Actor, ticket: TicketAssignment): boolean {
  if (!canSee(actor, ticket)) {
    return false;
  }
  if (actor.kind !== "user" || isAdmin(actor)) {
    return true;
  }
  return ticket.status !== "open" || ticket.userId === actor.userId;
}

/** May this person put a ticket into the queue, or take one into it? */
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
