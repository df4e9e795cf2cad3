import type { Ctx } from "#server/platform/ctx.ts";
import type { LineEvent } from "#server/whatsapp/port.ts";
import { contactUpdated } from "./contacts.events.ts";
import { claimPictures, findByAddress, savePicture } from "./pictures.queries.ts";

export const PICTURE_TASK = "contacts.picture";
/** WhatsApp tells of changes; what it did not tell, or refused, is asked for again after so long. */
const agingMs = 7 * 24 * 3_600_000;
const tries = 4;

/** From when on somebody whose picture was last asked for is asked for anew. */
export function pictureDueSince(now: Date): Date {
  return new Date(now.getTime() - agingMs);
}

/** Has the pictures of these contacts fetched by the line that sees them, where that was not done lately (decision 0121). */
export async function askPictures(ctx: Ctx, connectionId: number, contactIds: readonly number[]): Promise<void> {
  if (contactIds.length > 0) {
    const due = await claimPictures(ctx, contactIds, pictureDueSince(ctx.now()));
    due.forEach((contactId) => enqueuePicture(ctx, connectionId, contactId));
  }
}

/** WhatsApp said that pictures changed: they are fetched again, or taken away, where the line knows whose they are. */
export async function followPictures(ctx: Ctx, connectionId: number, events: readonly LineEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type !== "picture") {
      continue;
    }
    const contactId = await findByAddress(ctx, connectionId, event.chat);
    if (contactId === undefined) {
      continue;
    }
    if (!event.isGone) {
      enqueuePicture(ctx, connectionId, contactId);
    } else if (await savePicture(ctx, contactId, null)) {
      ctx.emit(contactUpdated(contactId));
    }
  }
}

function enqueuePicture(ctx: Ctx, connectionId: number, contactId: number): void {
  ctx.enqueue({
    task: PICTURE_TASK,
    payload: { connectionId, contactId },
    // One at a time for each line, and none where somebody waits already.
    lane: `pictures:${connectionId}`,
    affinity: `line:${connectionId}`,
    key: `picture:${contactId}`,
    maxAttempts: tries,
  });
}
