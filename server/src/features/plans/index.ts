export { publishPlan } from "./plans.realtime.ts";
export { checkPlanLimit, findOrCreatePlan, addPlan, planOf } from "./plans.service.ts";
export type { NewPlan } from "./plans.service.ts";
export type { PlanRow } from "./plans.tables.ts";
export { allFlags, planView } from "./plans.view.ts";
