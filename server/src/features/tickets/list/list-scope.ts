import { holds, isAdmin } from "@prosa/contract";
import type { TicketStatus } from "@prosa/contract";
import type { UserActor } from "#server/platform/ctx.ts";
import { seesQueueless } from "../tickets.policy.ts";

/** Which tickets a list of this person may hold (T-06). */
export type Scope =
  | { readonly kind: "all" }
  | {
      readonly kind: "some";
      readonly queueIds: readonly number[];
      readonly isQueueless: boolean;
      /** The person's own tickets, whatever their queue. */
      readonly isOwn: boolean;
    };

export interface ScopeFilter {
  /** "" is the search over every status. */
  readonly status: TicketStatus | "";
  readonly showAll: boolean;
  /** The queues ticked in the list, 0 for "no queue"; none ticked is all. */
  readonly queueIds: readonly number[];
}

/**
 * What a list shows: "open" the person's own tickets, or with show-all every one they may see; the other lists
 * whatever they may see. Show-all is for who holds tickets-manager:showall, and ignored for others.
 */
export function scopeOf(actor: UserActor, wish: ScopeFilter): Scope {
  const mayShowAll = wish.showAll && holds(actor, "tickets-manager:showall");
  if (wish.status === "open" && !mayShowAll) {
    return onlyQueues({ kind: "some", queueIds: [], isQueueless: false, isOwn: true }, wish.queueIds);
  }
  if (isAdmin(actor)) {
    return wish.queueIds.length === 0
      ? { kind: "all" }
      : {
          kind: "some",
          queueIds: wish.queueIds.filter((id) => id !== 0),
          isQueueless: wish.queueIds.includes(0),
          isOwn: false,
        };
  }
  const visible: Scope = { kind: "some", queueIds: actor.queueIds, isQueueless: seesQueueless(actor), isOwn: true };
  return onlyQueues(visible, wish.queueIds);
}

/** Narrows a scope to the ticked queues. Own tickets are always shown: they are this person's work. */
function onlyQueues(scope: Extract<Scope, { kind: "some" }>, queueIds: readonly number[]): Scope {
  if (queueIds.length === 0) {
    return scope;
  }
  return {
    kind: "some",
    queueIds: scope.queueIds.filter((id) => queueIds.includes(id)),
    isQueueless: scope.isQueueless && queueIds.includes(0),
    isOwn: scope.isOwn,
  };
}
