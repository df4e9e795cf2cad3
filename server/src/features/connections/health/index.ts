export { pruneLineHealth } from "./line-days.queries.ts";
export { endLimitsWhenDue } from "./end-limits.jobs.ts";
export { LIMIT_END_TASK } from "./limit-end-job.ts";
export {
  changeLimit,
  countDisconnects,
  countFailures,
  countStart,
  countStarts,
  forgetLimits,
  readLineHealth,
} from "./line-health.service.ts";
export { readLineLimit } from "./line-limits.queries.ts";
