import { deadJobs } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { removeDeadJob, listDeadJobs, retryJob } from "./dead-jobs.service.ts";

/** Jobs of all companies: transactions of the machinery read and write them. */
const ownTransaction = { transaction: "none" } as const;

export function deadJobsRoutes(api: Api): void {
  const { db } = api.services;

  serve(api, deadJobs.list, (_, { query }) => listDeadJobs(api.services, query.pageNumber), ownTransaction);
  serve(
    api,
    deadJobs.retry,
    async ({ log }, { params }) => {
      await retryJob(db, params.id);
      log.info({ job: params.id }, "a dead job is tried again");
      return { message: "Job tried again" };
    },
    ownTransaction,
  );
  serve(
    api,
    deadJobs.remove,
    async ({ log }, { params }) => {
      await removeDeadJob(db, params.id);
      log.info({ job: params.id }, "a dead job was thrown away");
      return { message: "Job deleted" };
    },
    ownTransaction,
  );
}
