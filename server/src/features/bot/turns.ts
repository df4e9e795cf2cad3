import { isBlank } from "@prosa/contract/blank";
import { saveBotTurns, ticketUpdated } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import { readChatFacts } from "./bot.queries.ts";
import { readState } from "./bot.state.ts";
import type { BotDecision, BotMessage, BotScript, BotState } from "./bot.script.ts";
import { decideTurn } from "./engine.ts";
import { lineTextsOf } from "./line-texts.ts";
import { loadScript } from "./load-script.ts";
import { say } from "./say.ts";

/** What a contact wrote to a ticket that no person owns. Its row is locked, and its messages are stored. */
export interface BotChat {
  readonly ticketId: number;
  readonly queueId: number | null;
  readonly chatbot: boolean;
  /** As the bot left it; null at the beginning of an episode. */
  readonly botState: unknown;
  /** In order; empty for a picture, a place, a voice note. */
  readonly texts: readonly string[];
}

/** Longer than any answer to a menu: the state keeps the last text, and is a column of the ticket. */
const mostOfText = 500;

/**
 * Answers for the company until a person does (behaviour 5, rules 3 to 7). In the transaction that stores the messages:
 * so each is answered once, whenever the process dies. Costs nothing where the bot has handed over or has no words.
 */
export async function playTurns(ctx: Ctx, connectionId: number, chats: readonly BotChat[]): Promise<void> {
  const led = chats.map((chat) => ({ chat, state: readState(chat.botState) })).filter(({ state }) => !state.isOver);
  if (led.length === 0) {
    return;
  }
  const script = await loadScript(ctx, connectionId);
  if (!hasWords(script)) {
    return;
  }
  const played = led.map(({ chat, state }) => play(script, chat, state, ctx.now()));

  await saveBotTurns(ctx, played.map(rowOf));
  for (const { chat, last } of played) {
    if (chat.queueId !== last.queueId || chat.chatbot !== isLed(last)) {
      const waiting = { status: "pending", userId: null } as const;
      const [from, to] = [
        { ...waiting, queueId: chat.queueId },
        { ...waiting, queueId: last.queueId },
      ];
      ctx.emit(ticketUpdated(chat.ticketId, from, to));
    }
  }

  const speaking = played.filter(({ messages }) => messages.length > 0);
  const facts = await readChatFacts(
    ctx,
    speaking.map(({ chat }) => chat.ticketId),
  );
  const { language } = await lineTextsOf(ctx, connectionId);
  for (const { chat, messages } of speaking) {
    await say(ctx, { facts: facts.get(chat.ticketId), language, messages });
  }
}

interface Played {
  readonly chat: BotChat;
  readonly messages: readonly BotMessage[];
  readonly last: BotDecision;
}

/** One turn after the other: several messages of a burst are several answers. */
function play(script: BotScript, chat: BotChat, before: BotState, at: Date): Played {
  const messages: BotMessage[] = [];
  let state = before;
  let last: BotDecision = { state, messages, queueId: chat.queueId, outcome: "person", assistant: null };
  for (const text of chat.texts) {
    last = decideTurn(script, state, { text: truncateText(text, mostOfText), at });
    state = last.state;
    messages.push(...last.messages);
  }
  return { chat, messages, last };
}

function rowOf({ chat, last }: Played) {
  const { assistant } = last;
  return {
    ticketId: chat.ticketId,
    queueId: last.queueId,
    chatbot: isLed(last),
    botState: last.state,
    promptId: assistant?.kind === "prompt" ? assistant.id : null,
    integrationId: assistant?.kind === "integration" ? assistant.id : null,
  };
}

function isLed({ outcome }: BotDecision): boolean {
  return outcome !== "person";
}

/** A connection without queues and texts has no bot. */
function hasWords({ queues, assistant, greeting, scheduleType, outOfHoursMessage }: BotScript): boolean {
  const saysClosed = scheduleType === "company" && !isBlank(outOfHoursMessage);
  return queues.length > 0 || assistant !== null || !isBlank(greeting) || saysClosed;
}
