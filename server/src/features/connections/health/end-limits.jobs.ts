import type { JobHandler } from "#server/platform/jobs/index.ts";
import { limitEndPayload } from "./limit-end-job.ts";
import { endLimits } from "./line-health.service.ts";

/** Job `lines.limit-end`: what ends later than the rest gets the next job. */
export const endLimitsWhenDue: JobHandler = async (job, deps) => {
  const { connectionId } = limitEndPayload.parse(job.payload);
  await deps.inCompany((ctx) => endLimits(ctx, connectionId));
};
