import { z } from "zod";
import type { NewJob } from "#server/platform/ctx.ts";

export const LIMIT_END_TASK = "lines.limit-end";

export const limitEndPayload = z.object({ connectionId: z.number().int() });

/** The job that is due when a limit ends: screens and whoever waits for the line hear of it without a word of WhatsApp. */
export function limitEndJob(connectionId: number, runAt: Date): NewJob {
  return { task: LIMIT_END_TASK, payload: { connectionId }, key: `lineLimit:${connectionId}`, runAt };
}
