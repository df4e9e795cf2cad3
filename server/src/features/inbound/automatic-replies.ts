import { applyRatings, runBotTurns } from "#server/features/bot/index.ts";
import type { AssistantKinds, BotChat, Rating } from "#server/features/bot/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { InboundChat } from "./chat-activity.ts";

/** Sends automatic replies in the transaction that stores the messages they answer: to ratings first, then by the bot. */
export async function sendAutomaticReplies(
  ctx: Ctx,
  connectionId: number,
  chats: readonly InboundChat[],
  assistants: AssistantKinds,
): Promise<void> {
  await applyRatings(ctx, connectionId, chats.flatMap(ratingOf));
  await runBotTurns(ctx, connectionId, chats.flatMap(botChatOf), assistants);
}

function ratingOf({ ticket, rating, activity }: InboundChat): Rating[] {
  const { id: ticketId, episodeId, queueId, userId } = ticket;
  return rating && episodeId !== null
    ? [{ ticketId, episodeId, queueId, userId, rating, opensTicket: activity.opensAt !== null }]
    : [];
}

function botChatOf({ ticket, activity, forBot }: InboundChat): BotChat[] {
  if (forBot.length === 0) {
    return [];
  }
  const isNewEpisode = activity.opensAt !== null;
  return [
    {
      ticketId: ticket.id,
      queueId: isNewEpisode ? null : ticket.queueId,
      chatbot: ticket.chatbot,
      botState: ticket.botState,
      isNewEpisode,
      said: forBot,
    },
  ];
}
