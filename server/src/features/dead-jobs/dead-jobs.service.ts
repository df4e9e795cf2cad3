import { pageSize } from "@prosa/contract";
import type { DeadJob } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Db } from "#server/platform/db/index.ts";
import type { Services } from "#server/platform/services.ts";
import { currentTaskName, deleteDeadJob, retryDeadJob } from "#server/platform/jobs/index.ts";
import type { RenamedTask } from "#server/platform/jobs/index.ts";
import { findDeadJobs } from "./dead-jobs.queries.ts";
import type { DeadJobRow } from "./dead-jobs.queries.ts";
import { redactError } from "./redact-error.ts";

export async function listDeadJobs({ db, renamedTasks }: Services, pageNumber: number) {
  const { rows, count } = await findDeadJobs(db, pageNumber);
  return {
    deadJobs: rows.map((row) => deadJobView(row, renamedTasks)),
    count,
    hasMore: pageNumber * pageSize.others < count,
  };
}

export async function retryJob(db: Db, id: number): Promise<void> {
  if (!(await db.systemTx((tx) => retryDeadJob(tx, id)))) {
    throw notFound(id);
  }
}

export async function removeDeadJob(db: Db, id: number): Promise<void> {
  if (!(await db.systemTx((tx) => deleteDeadJob(tx, id)))) {
    throw notFound(id);
  }
}

function deadJobView(
  { companyId, companyName, lastError, diedAt, ...job }: DeadJobRow,
  renamedTasks: readonly RenamedTask[],
): DeadJob {
  return {
    ...job,
    task: currentTaskName(renamedTasks, job.task),
    company: companyId === null ? null : { id: companyId, name: companyName ?? "" },
    lastError: redactError(lastError ?? ""),
    diedAt: diedAt.toISOString(),
  };
}

function notFound(deadJobId: number): AppError {
  return new AppError("ERR_NOT_FOUND", { deadJobId });
}
