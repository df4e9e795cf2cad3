import { pageSize } from "@prosa/contract";
import type { DeadJob } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Db } from "#server/platform/db/index.ts";
import { deleteDeadJob, retryDeadJob } from "#server/platform/jobs/index.ts";
import { findDeadJobs } from "./dead-jobs.queries.ts";
import type { DeadJobRow } from "./dead-jobs.queries.ts";
import { withoutContents } from "./without-contents.ts";

export async function listDeadJobs(db: Db, pageNumber: number) {
  const { rows, count } = await findDeadJobs(db, pageNumber);
  return { deadJobs: rows.map(viewOf), count, hasMore: pageNumber * pageSize.others < count };
}

export async function runDeadJobAgain(db: Db, id: number): Promise<void> {
  if (!(await db.systemTx((tx) => retryDeadJob(tx, id)))) {
    throw notFound(id);
  }
}

export async function dropDeadJob(db: Db, id: number): Promise<void> {
  if (!(await db.systemTx((tx) => deleteDeadJob(tx, id)))) {
    throw notFound(id);
  }
}

function viewOf({ companyId, companyName, lastError, diedAt, ...job }: DeadJobRow): DeadJob {
  return {
    ...job,
    company: companyId === null ? null : { id: companyId, name: companyName ?? "" },
    lastError: withoutContents(lastError ?? ""),
    diedAt: diedAt.toISOString(),
  };
}

function notFound(deadJobId: number): AppError {
  return new AppError("ERR_NOT_FOUND", { deadJobId });
}
