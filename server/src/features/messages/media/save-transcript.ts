import type { Ctx } from "#server/platform/ctx.ts";
import { messageUpdated } from "../messages.events.ts";
import { setTranscript } from "./media.queries.ts";

/** Stores what a voice message says, so that agents read it and searches find it. Of several transcripts the first stays. */
export async function saveTranscript(ctx: Ctx, messageId: number, text: string): Promise<void> {
  const ticketId = await setTranscript(ctx, messageId, text);
  if (ticketId !== undefined) {
    ctx.emit(messageUpdated(ticketId, messageId));
  }
}
