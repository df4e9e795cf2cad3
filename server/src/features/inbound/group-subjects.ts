import { z } from "zod";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { Later } from "#server/platform/jobs/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import type { Line } from "#server/whatsapp/port.ts";

export const GROUP_SUBJECT_TASK = "inbound.group-subject";
const awayMs = 5_000;
const tries = 3;

/** WhatsApp tells a group's name when it changes, and to whom asks; a message of it does not carry it. */
export function enqueueGroupSubject(ctx: Ctx, connectionId: number, groupId: string): void {
  ctx.enqueue({
    task: GROUP_SUBJECT_TASK,
    payload: { connectionId, groupId },
    affinity: `line:${connectionId}`,
    key: `${GROUP_SUBJECT_TASK}:${connectionId}:${groupId}`,
    maxAttempts: tries,
  });
}

/** Gives a group that was seen for the first time its name. One whose name nobody tells stays without. */
export function nameGroup(findLine: (connectionId: number) => Line | undefined, contacts: ContactResolver): JobHandler {
  return async (job, { inCompany }) => {
    const { connectionId, groupId } = asked.parse(job.payload);
    const line = findLine(connectionId);
    if (!line) {
      throw new Later(awayMs, "The line is away");
    }
    const subject = await line.groupSubject(groupId);
    if (subject) {
      await inCompany((ctx) => contacts.nameGroup(ctx, connectionId, groupId, subject));
    } else if (job.attempt < tries) {
      throw new Error("The name of a group was not told");
    }
  };
}

const asked = z.object({ connectionId: z.number(), groupId: z.string() });
