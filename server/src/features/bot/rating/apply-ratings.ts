import { recordRatings, ticketUpdated } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { readChatFacts } from "../bot.queries.ts";
import { endingTexts, connectionTextsOf } from "../connection-texts.ts";
import { textMessage } from "../bot.script.ts";
import { sendAutomaticMessage } from "../send-automatic-message.ts";

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
  const { language } = await connectionTextsOf(ctx, connectionId);
  const facts = await readChatFacts(
    ctx,
    closed.map(({ ticketId }) => ticketId),
  );
  for (const { ticketId, queueId, userId } of closed) {
    const { thanks } = await endingTexts(ctx, connectionId, queueId);
    const messages = [textMessage(thanks)];
    await sendAutomaticMessage(ctx, { facts: facts.get(ticketId), language, messages, priority: "notice" });
    const assignment = { status: "closed", queueId, userId } as const;
    ctx.emit(ticketUpdated(ticketId, assignment, assignment));
  }
}
