import { isBlank } from "@prosa/contract/blank";
import { saveBotTurns, ticketUpdated } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import { readChatFacts } from "../bot.queries.ts";
import { parseState } from "./bot-state.ts";
import type { BotDecision, BotMessage, BotScript, BotState } from "../bot.script.ts";
import { decideTurn } from "./engine.ts";
import { connectionTextsOf } from "../connection-texts.ts";
import { loadScript } from "./load-script.ts";
import { sendAutomaticMessage } from "../send-automatic-message.ts";

/** New messages in a ticket that no user owns. Its row is locked, and the messages are stored. */
export interface BotChat {
  readonly ticketId: number;
  readonly queueId: number | null;
  readonly chatbot: boolean;
  /** The stored state; null at the start of an episode. */
  readonly botState: unknown;
  /** In order; empty for a picture, a location, a voice note. */
  readonly texts: readonly string[];
}

/** Longer than any answer to a menu. The state keeps the last text, and is a column of the ticket. */
const maxTextLength = 500;

/**
 * Answers new messages by the bot (behaviour 5, rules 3 to 7), in the transaction that stores them: so each is answered
 * exactly once, also if the process crashes. Costs no statement if the bot has handed over or has nothing to send.
 */
export async function runBotTurns(ctx: Ctx, connectionId: number, chats: readonly BotChat[]): Promise<void> {
  const active = chats.map((chat) => ({ chat, state: parseState(chat.botState) })).filter(({ state }) => !state.isOver);
  if (active.length === 0) {
    return;
  }
  const script = await loadScript(ctx, connectionId);
  if (!hasBot(script)) {
    return;
  }
  const played = active.map(({ chat, state }) => play(script, chat, state, ctx.now()));

  await saveBotTurns(ctx, played.map(toRow));
  for (const { chat, last } of played) {
    if (chat.queueId !== last.queueId || chat.chatbot !== isBotActive(last)) {
      const waiting = { status: "pending", userId: null } as const;
      const [from, to] = [
        { ...waiting, queueId: chat.queueId },
        { ...waiting, queueId: last.queueId },
      ];
      ctx.emit(ticketUpdated(chat.ticketId, from, to));
    }
  }

  const answered = played.filter(({ messages }) => messages.length > 0);
  const facts = await readChatFacts(
    ctx,
    answered.map(({ chat }) => chat.ticketId),
  );
  const { language } = await connectionTextsOf(ctx, connectionId);
  for (const { chat, messages } of answered) {
    await sendAutomaticMessage(ctx, { facts: facts.get(chat.ticketId), language, messages });
  }
}

interface PlayedChat {
  readonly chat: BotChat;
  readonly messages: readonly BotMessage[];
  readonly last: BotDecision;
}

/** Decides one turn per message: several messages of a burst are several answers. */
function play(script: BotScript, chat: BotChat, before: BotState, at: Date): PlayedChat {
  const messages: BotMessage[] = [];
  let state = before;
  let last: BotDecision = { state, messages, queueId: chat.queueId, outcome: "person", assistant: null };
  for (const text of chat.texts) {
    last = decideTurn(script, state, { text: truncateText(text, maxTextLength), at });
    state = last.state;
    messages.push(...last.messages);
  }
  return { chat, messages, last };
}

function toRow({ chat, last }: PlayedChat) {
  const { assistant } = last;
  return {
    ticketId: chat.ticketId,
    queueId: last.queueId,
    chatbot: isBotActive(last),
    botState: last.state,
    promptId: assistant?.kind === "prompt" ? assistant.id : null,
    integrationId: assistant?.kind === "integration" ? assistant.id : null,
  };
}

function isBotActive({ outcome }: BotDecision): boolean {
  return outcome !== "person";
}

/** A connection without queues, assistant and texts has no bot. */
function hasBot({ queues, assistant, greeting, scheduleType, outOfHoursMessage }: BotScript): boolean {
  const hasOutOfHours = scheduleType === "company" && !isBlank(outOfHoursMessage);
  return queues.length > 0 || assistant !== null || !isBlank(greeting) || hasOutOfHours;
}
