export { checkNumbers } from "./number-check.jobs.ts";
export type { NumberCheckOptions } from "./number-check.jobs.ts";
export { checkAgain, enqueueNumberCheck, NUMBER_CHECK_TASK, resumeNumberCheck } from "./number-check.ts";
