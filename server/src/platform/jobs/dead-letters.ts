import type { Statement, SystemTx } from "../db/index.ts";

interface TakenJob {
  readonly company_id: number | null;
  readonly task: string;
  readonly payload: Record<string, unknown>;
  readonly lane: string | null;
  readonly affinity: string | null;
  readonly key: string | null;
  readonly max_attempts: number;
  /** A newer one with its key waits: what the dead one wanted is old. */
  readonly is_superseded: boolean;
}

const TAKE: Statement<TakenJob> = {
  name: "dead_job_take",
  text: `delete from jobs d where id = $1 and state = 'dead'
    returning company_id, task, payload, lane, affinity, key, max_attempts, exists (
      select from jobs w where w.key = d.key and w.company_id is not distinct from d.company_id
        and w.state = 'live' and w.leased_by is null) as is_superseded`,
};

/**
 * Gives a dead job all its tries again, as a new job at the end of its lane. If a newer one with its key waits already,
 * that one stands for both. False if it is not there.
 */
export async function retryDeadJob(tx: SystemTx, id: number): Promise<boolean> {
  const [job] = await tx.raw(TAKE, [id]);
  if (!job) {
    return false;
  }
  if (!job.is_superseded) {
    tx.enqueue(job.company_id, {
      task: job.task,
      payload: job.payload,
      maxAttempts: job.max_attempts,
      ...(job.lane !== null && { lane: job.lane }),
      ...(job.affinity !== null && { affinity: job.affinity }),
      ...(job.key !== null && { key: job.key }),
    });
  }
  return true;
}

/** Throws a dead job away. False if it is not there. */
export async function deleteDeadJob(tx: SystemTx, id: number): Promise<boolean> {
  return (await tx.raw(TAKE, [id])).length > 0;
}
