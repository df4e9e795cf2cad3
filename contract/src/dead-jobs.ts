import { z } from "zod";
import { done, instant, longId, paged, pageNumber } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** A dead letter: a job that failed after its last attempt or permanently. Its payload is not shown. */
export const deadJob = z.object({
  id: z.number().int(),
  task: z.string(),
  /** Company of the job; null for jobs of the platform. */
  company: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  lane: z.string().nullable(),
  attempts: z.number().int(),
  /** Error of the last attempt, without message contents, URLs and secrets. */
  lastError: z.string(),
  diedAt: instant,
});
export type DeadJob = z.output<typeof deadJob>;

const operators = { access: { who: "super" } } as const;
const params = z.object({ id: longId });

export const deadJobs = {
  list: endpoint({
    method: "GET",
    path: "/dead-jobs",
    summary: "Jobs of every company that gave up, the latest first, a page at a time",
    ...operators,
    query: z.object({ pageNumber }),
    response: paged("deadJobs", deadJob),
  }),
  retry: endpoint({
    method: "POST",
    path: "/dead-jobs/:id/retry",
    summary: "Give a job that gave up all its tries again",
    ...operators,
    params,
    response: done,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/dead-jobs/:id",
    summary: "Throw away a job that gave up",
    ...operators,
    params,
    response: done,
  }),
} as const;
