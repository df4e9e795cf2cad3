import type { Ctx } from "../ctx.ts";
import type { Statement } from "../db/index.ts";

/** A job that was given up. */
export interface DeadJob {
  readonly id: number;
  readonly task: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly diedAt: Date;
}

const LIST: Statement<DeadJob> = {
  name: "dead_jobs",
  text: `select id, task, payload, attempts, last_error as "lastError", died_at as "diedAt" from jobs
    where state = 'dead' and company_id = $1 order by id desc limit $2`,
};

/** The company's dead letters, newest first. */
export async function listDeadJobs(ctx: Ctx, limit = 100): Promise<DeadJob[]> {
  return ctx.raw(LIST, [ctx.companyId, limit]);
}

interface TakenJob {
  readonly task: string;
  readonly payload: Record<string, unknown>;
  readonly lane: string | null;
  readonly affinity: string | null;
  readonly key: string | null;
  readonly max_attempts: number;
}

const TAKE: Statement<TakenJob> = {
  name: "dead_job_take",
  text: `delete from jobs where id = $1 and company_id = $2 and state = 'dead'
    returning task, payload, lane, affinity, key, max_attempts`,
};

/** Gives a dead job all its tries again, as a new job at the end of its lane. False if it is not there. */
export async function retryDeadJob(ctx: Ctx, id: number): Promise<boolean> {
  const [job] = await ctx.raw(TAKE, [id, ctx.companyId]);
  if (!job) {
    return false;
  }
  ctx.enqueue({
    task: job.task,
    payload: job.payload,
    maxAttempts: job.max_attempts,
    ...(job.lane !== null && { lane: job.lane }),
    ...(job.affinity !== null && { affinity: job.affinity }),
    ...(job.key !== null && { key: job.key }),
  });
  return true;
}

/** Throws a dead job away. False if it is not there. */
export async function deleteDeadJob(ctx: Ctx, id: number): Promise<boolean> {
  return (await ctx.raw(TAKE, [id, ctx.companyId])).length > 0;
}
