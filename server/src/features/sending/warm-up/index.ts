export { ageDaysOf, limitAtAge } from "./limit-at-age.ts";
export { findPlan } from "./warm-up-plan.queries.ts";
export { readWarmUpPlan, saveWarmUpPlan } from "./warm-up-plan.service.ts";
