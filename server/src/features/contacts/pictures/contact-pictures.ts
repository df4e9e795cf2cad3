import type { Ctx } from "#server/platform/ctx.ts";
import type { LineEvent } from "#server/whatsapp/port.ts";
import { contactUpdated } from "../contacts.events.ts";
import { claimStalePictures, findContactByAddress, savePicture } from "./pictures.queries.ts";

export const PICTURE_TASK = "contacts.picture";
/** WhatsApp announces changes; a picture that it did not announce, or refused, is fetched again after this time. */
const maxAgeMs = 7 * 24 * 3_600_000;
const maxAttempts = 4;

/** A picture that was last fetched before this time is fetched again. */
export function pictureStaleBefore(now: Date): Date {
  return new Date(now.getTime() - maxAgeMs);
}

/** Enqueues the download of the pictures of these contacts that are stale, by the line that sees them (decision 0121). */
export async function enqueueStalePictures(
  ctx: Ctx,
  connectionId: number,
  contactIds: readonly number[],
): Promise<void> {
  if (contactIds.length > 0) {
    const due = await claimStalePictures(ctx, contactIds, pictureStaleBefore(ctx.now()));
    due.forEach((contactId) => enqueuePictureDownload(ctx, connectionId, contactId));
  }
}

/** Applies picture events of a line: enqueues the download of a changed picture, removes a deleted one. */
export async function applyPictureChanges(ctx: Ctx, connectionId: number, events: readonly LineEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type !== "picture") {
      continue;
    }
    const contactId = await findContactByAddress(ctx, connectionId, event.chat);
    if (contactId === undefined) {
      continue;
    }
    if (!event.isGone) {
      enqueuePictureDownload(ctx, connectionId, contactId);
    } else if (await savePicture(ctx, contactId, null)) {
      ctx.emit(contactUpdated(contactId));
    }
  }
}

export function enqueuePictureDownload(ctx: Ctx, connectionId: number, contactId: number): void {
  ctx.enqueue({
    task: PICTURE_TASK,
    payload: { connectionId, contactId },
    // One download at a time per line; the key drops a second job for the same contact.
    lane: `pictures:${connectionId}`,
    affinity: `line:${connectionId}`,
    key: `picture:${contactId}`,
    maxAttempts,
    priority: "bulk",
  });
}
