import {
  connectionTextsOf,
  readChatFacts,
  readTexts,
  sendAutomaticMessage,
  textMessage,
} from "#server/features/bot/index.ts";
import type { AssistantKinds } from "#server/features/bot/index.ts";
import { optOutAnswers, readOptOutWord, recordOptOuts } from "#server/features/sending/index.ts";
import type { SaidWord, WordOutcome } from "#server/features/sending/index.ts";
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
export async function recordOptOutWords(
  ctx: Ctx,
  connectionId: number,
  newMessages: readonly NewMessage[],
  assistants: AssistantKinds,
): Promise<OptOutWords> {
  const words = newMessages.filter(isText).flatMap((newMessage) => {
    const word = readOptOutWord(newMessage.incoming.body);
    return word ? [{ ...newMessage, word }] : [];
  });
  const meanings = await meaningsToBot(ctx, connectionId, words, assistants);
  const outcomes = await recordOptOuts(
    ctx,
    words.map(({ incoming, ticket, message, word }) => ({
      messageId: message.id,
      ticketId: ticket.id,
      contactId: ticket.contactId,
      text: incoming.body,
      word,
      at: incoming.sentAt,
      meaningToBot: meanings.get(message.id) ?? null,
      isOpen: ticket.status === "open",
    })),
  );
  const settledIds = new Set(outcomes.flatMap(({ messageId, settles }) => (settles ? [messageId] : [])));
  return {
    settled: new Set(words.flatMap(({ incoming, message }) => (settledIds.has(message.id) ? [incoming] : []))),
    outcomes,
  };
}

/** What the words mean to the bot, by message; without those on tickets that the bot has not. */
async function meaningsToBot(
  ctx: Ctx,
  connectionId: number,
  words: readonly NewMessage[],
  assistants: AssistantKinds,
): Promise<ReadonlyMap<number, SaidWord["meaningToBot"]>> {
  const withBot = words.filter(({ ticket }) => ticket.status === "pending" && ticket.userId === null);
  if (withBot.length === 0) {
    return new Map();
  }
  const texts = withBot.map(({ incoming: { body: text }, ticket: { botState } }) => ({ text, botState }));
  const meanings = await readTexts(ctx, connectionId, texts, assistants);
  return new Map(withBot.map(({ message }, index) => [message.id, meanings[index] ?? null]));
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
