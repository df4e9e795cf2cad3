import { takeCampaignReplies } from "#server/features/campaigns/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { isNewContent } from "./chat-activity.ts";
import type { NewMessage } from "./chat-activity.ts";
import type { OptOutWords } from "./opt-out-words.ts";
import type { IncomingMessage, StatusEvent } from "./parse-line-events.ts";

/**
 * Takes what contacts reply to campaigns (K-06). `statuses` of the batch prove that WhatsApp has a request: after an outage of the line
 * they come with the answer to it. Returns the answers to requests, which need nobody and nothing else.
 */
export async function takeRepliesToCampaigns(
  ctx: Ctx,
  newMessages: readonly NewMessage[],
  words: OptOutWords,
  statuses: readonly StatusEvent[],
): Promise<ReadonlySet<IncomingMessage>> {
  // Also who says it again, which changes nothing and needs nobody.
  const optedOut = new Set(
    words.outcomes
      .filter(({ change, settles }) => change === "out" || (change === null && settles))
      .map(({ messageId }) => messageId),
  );
  const replies = newMessages.filter(isReply);
  const settled = await takeCampaignReplies(
    ctx,
    replies.map(({ incoming, ticket, message }) => ({
      messageId: message.id,
      ticketId: ticket.id,
      contactId: ticket.contactId,
      text: incoming.mediaType === "chat" ? incoming.body : "",
      quotedWaId: incoming.quotedWaId,
      at: incoming.sentAt,
      optsOut: optedOut.has(message.id),
    })),
    new Set(statuses.flatMap(({ status, waIds }) => (status >= 1 ? waIds : []))),
  );
  return new Set(replies.flatMap(({ incoming, message }) => (settled.has(message.id) ? [incoming] : [])));
}

function isReply(newMessage: NewMessage): boolean {
  const { incoming, ticket } = newMessage;
  return (
    isNewContent(newMessage) &&
    !incoming.fromMe &&
    incoming.mediaType !== "call_log" &&
    !ticket.isGroup &&
    !ticket.isBlocked
  );
}
