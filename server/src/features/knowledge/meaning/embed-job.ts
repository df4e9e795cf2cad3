import type { NewJob } from "#server/platform/ctx.ts";

export const EMBED_TASK = "knowledge.embed";

/** The job that gives a company's texts the vectors that they lack, and takes away what nobody needs. */
export function embedJob(companyId: number): NewJob {
  const lane = `knowledge-embed:${companyId}`;
  return { task: EMBED_TASK, payload: {}, lane, key: lane, priority: "bulk", maxAttempts: 8 };
}
