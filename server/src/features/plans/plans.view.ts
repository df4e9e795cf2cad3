import { planFlags } from "@prosa/contract";
import type { OfferedPlan, Plan, PlanFlag } from "@prosa/contract";
import type { OfferedPlanRow } from "./plans.queries.ts";
import type { PlanRow } from "./plans.tables.ts";

export function planView(row: PlanRow): Plan {
  const { id, name, users, connections, queues, value, flags } = row;
  return { id, name, users, connections, queues, value, ...allFlags(flags) };
}

export function offeredPlanView(row: OfferedPlanRow): OfferedPlan {
  return { ...planView(row), isPublic: row.is_public, companies: row.companies };
}

/** Every flag; an absent one is on (specification 2 section 9). */
export function allFlags(flags: Partial<Record<PlanFlag, boolean>> | null): Record<PlanFlag, boolean> {
  return Object.fromEntries(planFlags.map((flag) => [flag, flags?.[flag] ?? true])) as Record<PlanFlag, boolean>;
}
