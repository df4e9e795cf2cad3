import { lockTicket, mustSee } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { messageUpdated } from "../messages.events.ts";
import { findMessage } from "../messages.queries.ts";
import { enqueueMediaDownload } from "./enqueue-media-download.ts";
import { findMedia, setMediaState } from "./media.queries.ts";

/**
 * Retries the download of a failed or expired file. ERR_WAPP_DOWNLOAD_MEDIA where there is no file or no connection, or WhatsApp does not
 * have it: an exported chat came without it.
 */
export async function refetchMedia(ctx: Ctx, id: number): Promise<void> {
  const message = await findMessage(ctx, id);
  mustSee(ctx.actor, await lockTicket(ctx, message.ticketId));
  const media = await findMedia(ctx, id);
  if (!media?.source || message.connectionId === null) {
    throw new AppError("ERR_WAPP_DOWNLOAD_MEDIA");
  }
  if (media.state === "failed" || media.state === "expired") {
    await setMediaState(ctx, id, "wanted");
    ctx.emit(messageUpdated(message.ticketId, id));
    enqueueMediaDownload(ctx, message.connectionId, id, "interactive");
  }
}
