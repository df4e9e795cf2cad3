import { z } from "zod";

/** The data of a message that is not sent before this time: the pauses of an assistant's answer. */
export function dueAt(at: Date): { readonly dueAt: string } {
  return { dueAt: at.toISOString() };
}

/** Why the job of a message with a pause waits. */
export const waitsForPause = "a pause before the next message of an answer";

const pause = z.object({ dueAt: z.iso.datetime() });

/** How long (ms) a queued message waits still; 0 for most. The time is absolute, so a restart does not lengthen it. */
export function pauseBefore({ data }: { readonly data: unknown }, now: Date): number {
  const parsed = pause.safeParse(data);
  return parsed.success ? Math.max(0, Date.parse(parsed.data.dueAt) - now.getTime()) : 0;
}
