import { recordRatings, ticketUpdated } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { readChatFacts } from "./bot.queries.ts";
import { endingTexts, lineTextsOf } from "./line-texts.ts";
import { say, textMessage } from "./say.ts";

/** A contact answered how the last episode of a closed ticket went. */
export interface Rating {
  readonly ticketId: number;
  readonly episodeId: number;
  readonly userId: number | null;
  readonly queueId: number | null;
  readonly rating: 1 | 2 | 3;
  readonly at: Date;
}

/** Keeps the ratings and says the last word; the tickets stay closed (behaviour 5, rule 2). */
export async function takeRatings(ctx: Ctx, connectionId: number, ratings: readonly Rating[]): Promise<void> {
  if (ratings.length === 0) {
    return;
  }
  await recordRatings(ctx, ratings);
  const { language, words } = await lineTextsOf(ctx, connectionId);
  const facts = await readChatFacts(
    ctx,
    ratings.map(({ ticketId }) => ticketId),
  );
  for (const { ticketId, queueId, userId } of ratings) {
    const { complation } = await endingTexts(ctx, connectionId, queueId);
    const messages = [textMessage(complation === "" ? words.closed : complation)];
    await say(ctx, { facts: facts.get(ticketId), language, messages });
    const place = { status: "closed", queueId, userId } as const;
    ctx.emit(ticketUpdated(ticketId, place, place));
  }
}
