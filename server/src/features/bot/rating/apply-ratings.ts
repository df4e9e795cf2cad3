import { recordRatings, ticketUpdated } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { endingTexts } from "../connection-texts.ts";
import { textMessage } from "../bot.script.ts";
import { sendToTickets } from "../send-automatic-message.ts";

/** A contact's answer to the rating request of a closed ticket's last episode. */
export interface Rating {
  readonly ticketId: number;
  readonly episodeId: number;
  readonly userId: number | null;
  readonly queueId: number | null;
  readonly rating: 1 | 2 | 3;
  /** The contact went on to something else, which is answered instead: a turn gets one answer. */
  readonly opensTicket: boolean;
}

/** Saves the ratings and sends the farewell; these tickets stay closed (behaviour 5, rule 2). */
export async function applyRatings(ctx: Ctx, connectionId: number, ratings: readonly Rating[]): Promise<void> {
  if (ratings.length === 0) {
    return;
  }
  await recordRatings(ctx, ratings);
  const closed = ratings.filter(({ opensTicket }) => !opensTicket);
  const notices = closed.map(async ({ ticketId, queueId }) => {
    const { thanks } = await endingTexts(ctx, connectionId, queueId);
    return { ticketId, messages: [textMessage(thanks)] };
  });
  await sendToTickets(ctx, connectionId, await Promise.all(notices), "notice");
  for (const { ticketId, queueId, userId } of closed) {
    const assignment = { status: "closed", queueId, userId } as const;
    ctx.emit(ticketUpdated(ticketId, assignment, assignment));
  }
}
