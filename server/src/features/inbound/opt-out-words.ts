import { connectionTextsOf, readChatFacts, sendAutomaticMessage, textMessage } from "#server/features/bot/index.ts";
import { optOutAnswers, recordOptOuts } from "#server/features/sending/index.ts";
import type { WordOutcome } from "#server/features/sending/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { isNewContent } from "./chat-activity.ts";
import type { NewMessage } from "./chat-activity.ts";
import type { IncomingMessage } from "./parse-line-events.ts";

export interface OptOutWords {
  /** Messages that need nobody and nothing else: they open no closed ticket, and the bot does not see them. */
  readonly settled: ReadonlySet<IncomingMessage>;
  readonly outcomes: readonly WordOutcome[];
}

/** Records the words by which contacts leave and return to campaigns (P-02). Batches without one cost no statement. */
export async function recordOptOutWords(ctx: Ctx, newMessages: readonly NewMessage[]): Promise<OptOutWords> {
  const texts = newMessages.filter(isText);
  const outcomes = await recordOptOuts(
    ctx,
    texts.map(({ incoming, ticket, message }) => ({
      messageId: message.id,
      ticketId: ticket.id,
      contactId: ticket.contactId,
      text: incoming.body,
      at: incoming.sentAt,
      isWithBot: ticket.status === "pending" && ticket.userId === null,
      isOpen: ticket.status === "open",
    })),
  );
  const settledIds = new Set(outcomes.flatMap(({ messageId, settles }) => (settles ? [messageId] : [])));
  return {
    settled: new Set(texts.flatMap(({ incoming, message }) => (settledIds.has(message.id) ? [incoming] : []))),
    outcomes,
  };
}

function isText(newMessage: NewMessage): boolean {
  const { incoming, ticket } = newMessage;
  return isNewContent(newMessage) && incoming.mediaType === "chat" && !incoming.fromMe && !ticket.isGroup;
}

/** Confirms each word that changed something, once, and says how to change it back; after the activity of its chat is saved. */
export async function answerOptOutWords(
  ctx: Ctx,
  connectionId: number,
  outcomes: readonly WordOutcome[],
): Promise<void> {
  const changed = outcomes.filter(({ change }) => change !== null);
  if (changed.length === 0) {
    return;
  }
  const { language } = await connectionTextsOf(ctx, connectionId);
  const facts = await readChatFacts(
    ctx,
    changed.map(({ ticketId }) => ticketId),
  );
  for (const { messageId, ticketId, change } of changed) {
    const messages = change === null ? [] : [textMessage(optOutAnswers[language][change])];
    await sendAutomaticMessage(ctx, {
      facts: facts.get(ticketId),
      language,
      messages,
      clientId: `opt-out-${messageId}`,
    });
  }
}
