import { isAdmin } from "@prosa/contract";
import type { Actor } from "#server/platform/ctx.ts";

/** The queues whose figures the actor sees: all (null), or a supervisor's own (behaviour 8). Pure. */
export function visibleQueueIds(actor: Actor): readonly number[] | null {
  const seesAll = actor.kind !== "user" || isAdmin(actor);
  return seesAll ? null : actor.queueIds;
}
