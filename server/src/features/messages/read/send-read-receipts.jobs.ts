import { z } from "zod";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { SendError } from "#server/whatsapp/port.ts";
import { participantRef } from "../authors.ts";
import type { FindLine } from "../line-jobs.ts";
import { findAddress } from "../messages.queries.ts";

/** Job `messages.receipts`: sends read receipts for the contact's messages. */
export function sendReadReceipts(findLine: FindLine): JobHandler {
  return async (job, deps) => {
    const { connectionId, contactId, read } = receiptsPayload.parse(job.payload);
    const chat = await deps.inCompany((ctx) => findAddress(ctx, connectionId, contactId));
    const line = findLine(connectionId);
    if (!line) {
      throw new SendError("notConnected", true);
    }
    if (chat) {
      const refs = read.map(({ waId, participant }) => ({
        waId,
        fromMe: false,
        ...participantRef({ participant }),
      }));
      await line.markRead(chat, refs);
    }
  };
}

const receiptsPayload = z.object({
  connectionId: z.number(),
  contactId: z.number(),
  read: z.array(
    z.object({
      waId: z.string(),
      participant: z.object({ phone: z.string().nullable(), lid: z.string().nullable() }).nullable(),
    }),
  ),
});
