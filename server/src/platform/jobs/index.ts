export type { Cron } from "./cron.ts";
export { deleteDeadJob, listDeadJobs, retryDeadJob } from "./dead-letters.ts";
export type { DeadJob } from "./dead-letters.ts";
export { completeWithin } from "./job-store.ts";
export { countJobs } from "./count-jobs.ts";
export { NoRetry } from "./job.ts";
export type { Job, JobDeps, JobHandler } from "./job.ts";
export { createJobRunner } from "./runner.ts";
export type { JobRunner, JobRunnerOptions } from "./runner.ts";
