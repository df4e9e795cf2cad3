import type { Statement, SystemTx } from "../db/index.ts";
import { priorityOfRank } from "../job-priority.ts";

interface DeletedJob {
  readonly company_id: number | null;
  readonly task: string;
  readonly payload: Record<string, unknown>;
  readonly lane: string | null;
  readonly affinity: string | null;
  readonly key: string | null;
  readonly max_attempts: number;
  readonly priority: number;
  /** A newer job with its key is waiting, so the dead one is outdated. */
  readonly is_superseded: boolean;
}

const DELETE_DEAD: Statement<DeletedJob> = {
  name: "dead_job_take",
  text: `delete from jobs d where id = $1 and state = 'dead'
    returning company_id, task, payload, lane, affinity, key, max_attempts, priority, exists (
      select from jobs w where w.key = d.key and w.company_id is not distinct from d.company_id
        and w.state = 'live' and w.leased_by is null) as is_superseded`,
};

/**
 * Enqueues a dead job again with all its attempts, at the end of its lane. If a newer job with its key is waiting, the
 * dead one is only deleted. False if it does not exist.
 */
export async function retryDeadJob(tx: SystemTx, id: number): Promise<boolean> {
  const [job] = await tx.raw(DELETE_DEAD, [id]);
  if (!job) {
    return false;
  }
  if (!job.is_superseded) {
    tx.enqueue(job.company_id, {
      task: job.task,
      payload: job.payload,
      maxAttempts: job.max_attempts,
      priority: priorityOfRank(job.priority),
      ...(job.lane !== null && { lane: job.lane }),
      ...(job.affinity !== null && { affinity: job.affinity }),
      ...(job.key !== null && { key: job.key }),
    });
  }
  return true;
}

/** Deletes a dead job. False if it does not exist. */
export async function deleteDeadJob(tx: SystemTx, id: number): Promise<boolean> {
  return (await tx.raw(DELETE_DEAD, [id])).length > 0;
}
