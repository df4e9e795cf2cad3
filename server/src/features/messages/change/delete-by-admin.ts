import { z } from "zod";
import { lockTicket, refreshLastMessagePreview } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { isSamePerson } from "../authors.ts";
import { affinityOf } from "../line-jobs.ts";
import type { FindLine } from "../line-jobs.ts";
import { messageUpdated } from "../messages.events.ts";
import { findMessage } from "../messages.queries.ts";
import { markDeleted } from "./changes.queries.ts";

const person = z.object({ phone: z.string().nullable(), lid: z.string().nullable() });
const claim = z.object({
  connectionId: z.number(),
  messageId: z.number(),
  groupId: z.string().nullable(),
  by: person.nullable(),
});
type Claim = z.output<typeof claim>;

export const ADMIN_TASK = "messages.delete-by-admin";

/** Somebody deletes what another one wrote in a group: only WhatsApp knows who its admins are. */
export function askAdmins(ctx: Ctx, deletion: Claim): void {
  ctx.enqueue({ task: ADMIN_TASK, payload: deletion, affinity: affinityOf(deletion.connectionId), maxAttempts: 20 });
}

/** Deletes the message if whoever asked is an admin of the group; otherwise it stays as it was. */
export function deleteByAdmin(findLine: FindLine): JobHandler {
  return async (job, deps) => {
    const { connectionId, messageId, groupId, by } = claim.parse(job.payload);
    const line = findLine(connectionId);
    if (!line) {
      throw new Error("The line is not here");
    }
    const admins = await line.groupAdmins(groupId ?? "");
    if (!admins.some((admin) => isSamePerson(by, admin))) {
      deps.log.info({ messageId }, "somebody who is no admin of a group would delete what another one wrote");
      return;
    }
    await deps.inCompany(async (ctx) => {
      const { ticketId } = await findMessage(ctx, messageId);
      await lockTicket(ctx, ticketId);
      if (await markDeleted(ctx, messageId)) {
        ctx.emit(messageUpdated(ticketId, messageId));
        await refreshLastMessagePreview(ctx, ticketId, messageId);
      }
    });
  };
}
