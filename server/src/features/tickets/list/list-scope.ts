import { hasPermission, isAdmin } from "@prosa/contract";
import type { TicketStatus } from "@prosa/contract";
import type { UserActor } from "#server/platform/ctx.ts";
import { seesQueueless } from "../tickets.policy.ts";

/** Which tickets a list of a user holds (T-06). */
export type ListScope =
  | { readonly kind: "all" }
  | {
      readonly kind: "some";
      readonly queueIds: readonly number[];
      readonly isQueueless: boolean;
      /** Includes the user's own tickets, whatever their queue. */
      readonly isOwn: boolean;
    };

export interface ScopeFilter {
  /** "" is every status, for the search. */
  readonly status: TicketStatus | "";
  readonly showAll: boolean;
  /** Selected queues, 0 for "no queue"; empty: all queues. */
  readonly queueIds: readonly number[];
}

/**
 * Scope of a list: "open" holds the user's own tickets, or with `showAll` every one they may see; the other lists hold every
 * one they may see. `showAll` needs the permission tickets-manager:showall and is ignored without it.
 */
export function scopeOf(actor: UserActor, filter: ScopeFilter): ListScope {
  const mayShowAll = filter.showAll && hasPermission(actor, "tickets-manager:showall");
  if (filter.status === "open" && !mayShowAll) {
    return narrowToQueues({ kind: "some", queueIds: [], isQueueless: false, isOwn: true }, filter.queueIds);
  }
  if (isAdmin(actor)) {
    return filter.queueIds.length === 0
      ? { kind: "all" }
      : {
          kind: "some",
          queueIds: filter.queueIds.filter((id) => id !== 0),
          isQueueless: filter.queueIds.includes(0),
          isOwn: false,
        };
  }
  const visible: ListScope = { kind: "some", queueIds: actor.queueIds, isQueueless: seesQueueless(actor), isOwn: true };
  return narrowToQueues(visible, filter.queueIds);
}

/** Narrows a scope to the selected queues. The user's own tickets stay in it. */
function narrowToQueues(scope: Extract<ListScope, { kind: "some" }>, queueIds: readonly number[]): ListScope {
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
