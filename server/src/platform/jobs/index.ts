export type { Cron } from "./cron.ts";
export { deleteDeadJob, retryDeadJob } from "./dead-letters.ts";
export { measureJobs } from "./count-jobs.ts";
export { cancelBound, completeWithin } from "./job-store.ts";
export type { CancelledJob } from "./job-store.ts";
export { Later, NoRetry } from "./job.ts";
export type { Job, JobDeps, JobHandler } from "./job.ts";
export { createJobRunner } from "./runner.ts";
export type { JobRunner, JobRunnerOptions } from "./runner.ts";
