import { z } from "zod";
import { lockTicket, refreshLastMessagePreview } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { isSamePerson } from "../authors.ts";
import { lineAffinity } from "../line-jobs.ts";
import type { FindLine } from "../line-jobs.ts";
import { messageUpdated } from "../messages.events.ts";
import { findMessage } from "../messages.queries.ts";
import { markMessageDeleted } from "./changes.queries.ts";

const person = z.object({ phone: z.string().nullable(), lid: z.string().nullable() });
const adminDeletion = z.object({
  connectionId: z.number(),
  messageId: z.number(),
  groupId: z.string().nullable(),
  by: person.nullable(),
});
type AdminDeletion = z.output<typeof adminDeletion>;

export const DELETE_BY_ADMIN_TASK = "messages.delete-by-admin";

/** Enqueues the deletion of another author's message in a group: only WhatsApp knows who the group's admins are. */
export function enqueueDeleteByAdmin(ctx: Ctx, deletion: AdminDeletion): void {
  ctx.enqueue({
    task: DELETE_BY_ADMIN_TASK,
    payload: deletion,
    affinity: lineAffinity(deletion.connectionId),
    maxAttempts: 20,
  });
}

/** Job: deletes the message if the person is an admin of the group; otherwise the message stays. */
export function deleteByAdmin(findLine: FindLine): JobHandler {
  return async (job, deps) => {
    const { connectionId, messageId, groupId, by } = adminDeletion.parse(job.payload);
    const line = findLine(connectionId);
    if (!line) {
      throw new Error("line not connected");
    }
    const admins = await line.groupAdmins(groupId ?? "");
    if (!admins.some((admin) => isSamePerson(by, admin))) {
      deps.log.info({ messageId }, "group message deletion ignored, sender is no admin");
      return;
    }
    await deps.inCompany(async (ctx) => {
      const { ticketId } = await findMessage(ctx, messageId);
      await lockTicket(ctx, ticketId);
      if (await markMessageDeleted(ctx, messageId)) {
        ctx.emit(messageUpdated(ticketId, messageId));
        await refreshLastMessagePreview(ctx, ticketId, messageId);
      }
    });
  };
}
