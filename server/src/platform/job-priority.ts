/**
 * How urgent a job is, most urgent first (decision 0142). `interactive`: a person caused it and waits. `bot`: a customer
 * waits for the bot. `notice`: somebody is told something, or a time has come. `bulk`: nobody waits for the single job.
 */
export const jobPriorities = ["interactive", "bot", "notice", "bulk"] as const;
export type JobPriority = (typeof jobPriorities)[number];

/** What the column `jobs.priority` has by default too, for rows that the release before this one inserts. */
export const defaultJobPriority: JobPriority = "notice";

/** The value of the column `jobs.priority`: 0 is the most urgent. */
export function priorityRank(priority: JobPriority): number {
  return jobPriorities.indexOf(priority);
}

/** The priority of a row; a rank that only a later release knows counts as bulk. */
export function priorityOfRank(rank: number): JobPriority {
  return jobPriorities[rank] ?? "bulk";
}
