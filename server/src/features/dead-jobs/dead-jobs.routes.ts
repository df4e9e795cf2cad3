import { deadJobs } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { removeDeadJob, listDeadJobs, retryJob } from "./dead-jobs.service.ts";

/** Dead jobs of all companies are read and written in system transactions. */
const ownTransaction = { transaction: "none" } as const;

export function deadJobsRoutes(api: Api): void {
  const { db } = api.services;

  serve(api, deadJobs.list, (_, { query }) => listDeadJobs(api.services, query.pageNumber), ownTransaction);
  serve(
    api,
    deadJobs.retry,
    async ({ log }, { params }) => {
      await retryJob(db, params.id);
      log.info({ job: params.id }, "dead job retried");
      return { message: "Job tried again" };
    },
    ownTransaction,
  );
  serve(
    api,
    deadJobs.remove,
    async ({ log }, { params }) => {
      await removeDeadJob(db, params.id);
      log.info({ job: params.id }, "dead job deleted");
      return { message: "Job deleted" };
    },
    ownTransaction,
  );
}
