import { applyRatings, runBotTurns } from "#server/features/bot/index.ts";
import type { BotChat, Rating } from "#server/features/bot/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { InboundChat } from "./chat-activity.ts";

/** What the company answers by itself, in the transaction that stores what is answered: ratings first, then the bot. */
export async function sendAutomaticReplies(
  ctx: Ctx,
  connectionId: number,
  chats: readonly InboundChat[],
): Promise<void> {
  await applyRatings(ctx, connectionId, chats.flatMap(ratingOf));
  await runBotTurns(ctx, connectionId, chats.flatMap(botChatOf));
}

function ratingOf({ ticket, rating }: InboundChat): Rating[] {
  const { id: ticketId, episodeId, queueId, userId } = ticket;
  return rating && episodeId !== null
    ? [{ ticketId, episodeId, queueId, userId, rating: rating.value, at: rating.at }]
    : [];
}

function botChatOf({ ticket, record, toBot }: InboundChat): BotChat[] {
  if (toBot.length === 0) {
    return [];
  }
  const isFresh = record.opensAt !== null;
  return [
    {
      ticketId: ticket.id,
      queueId: isFresh ? null : ticket.queueId,
      chatbot: ticket.chatbot,
      botState: isFresh ? null : ticket.botState,
      texts: toBot.map(({ mediaType, body }) => (mediaType === "chat" ? body : "")),
    },
  ];
}
