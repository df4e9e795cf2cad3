import { wireName } from "@prosa/contract";
import type { WirePayload } from "@prosa/contract";
import { z } from "zod";
import { userRoom } from "#server/platform/realtime/index.ts";
import type { Emission, EventHandler } from "#server/platform/realtime/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { signViewMediaUrls } from "../sign-media-urls.ts";
import { readViewsToPublish } from "../tickets.view.queries.ts";
import { findTransferTexts } from "./publish-transfers.queries.ts";

const transferPayload = z.object({
  ticketId: z.number().int(),
  fromUserId: z.number().int(),
  toUserId: z.number().int(),
  noteId: z.number().int().nullable(),
  /** Events of the release before have none. */
  count: z.number().int().default(1),
});

/** `ticket.transferred`: tells the user who got the ticket, unless it has gone on to somebody else since. */
export function publishTicketTransferred(media: MediaLinks): EventHandler {
  return async (batch, { companyId, read }) => {
    const transfers = batch.map(({ payload }) => transferPayload.parse(payload));
    const { views, texts } = await read(async (ctx) => ({
      views: await readViewsToPublish(ctx, [...new Set(transfers.map(({ ticketId }) => ticketId))]),
      texts: await findTransferTexts(ctx, transfers),
    }));
    return transfers.flatMap(({ ticketId, fromUserId, toUserId, noteId, count }): Emission[] => {
      const view = views.find(({ id }) => id === ticketId);
      if (!view || view.status !== "open" || view.userId !== toUserId) {
        return [];
      }
      const payload: WirePayload<"ticketTransfer"> = {
        action: "received",
        ticket: signViewMediaUrls(media, companyId, view),
        from: texts.senders.find(({ id }) => id === fromUserId) ?? null,
        note: texts.notes.find(({ id }) => id === noteId)?.note ?? null,
        count,
      };
      return [{ rooms: [userRoom(toUserId)], event: wireName(companyId, "ticketTransfer"), payload }];
    });
  };
}
