import { z } from "zod";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { RetryLater } from "#server/platform/jobs/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import type { Line } from "#server/whatsapp/port.ts";

export const GROUP_SUBJECT_TASK = "inbound.group-subject";
const retryMs = 5_000;
const maxAttempts = 3;

/** Enqueues a query for a group's subject: WhatsApp sends it when it changes or when asked, but not with a message. */
export function enqueueGroupSubject(ctx: Ctx, connectionId: number, groupId: string): void {
  ctx.enqueue({
    task: GROUP_SUBJECT_TASK,
    payload: { connectionId, groupId },
    affinity: `line:${connectionId}`,
    key: `${GROUP_SUBJECT_TASK}:${connectionId}:${groupId}`,
    maxAttempts,
  });
}

/** Fetches the subject of a new group and names its contact. Without an answer after the last attempt the group stays unnamed. */
export function fetchGroupSubject(
  findLine: (connectionId: number) => Line | undefined,
  contacts: ContactResolver,
): JobHandler {
  return async (job, { inCompany }) => {
    const { connectionId, groupId } = request.parse(job.payload);
    const line = findLine(connectionId);
    if (!line) {
      throw new RetryLater(retryMs, "The line is not connected");
    }
    const subject = await line.groupSubject(groupId);
    if (subject) {
      await inCompany((ctx) => contacts.nameGroup(ctx, connectionId, groupId, subject));
    } else if (job.attempt < maxAttempts) {
      throw new Error("WhatsApp did not return the subject of the group");
    }
  };
}

const request = z.object({ connectionId: z.number(), groupId: z.string() });
