import { isBlank } from "@prosa/contract/blank";
import { withdrawPaused } from "#server/features/messages/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import { assistantJob } from "../assistants/index.ts";
import { initialState } from "../bot.script.ts";
import type { AssistantKinds, BotScript, BotState, Said } from "../bot.script.ts";
import { decideTurn, loadScript, parseState, stateOfNewEpisode } from "../engine/index.ts";
import { saveDecisions } from "../save-decisions.ts";
import { sendToTickets } from "../send-automatic-message.ts";

/** New messages in a ticket that no user owns. Its row is locked, and the messages are stored. */
export interface BotChat {
  readonly ticketId: number;
  readonly queueId: number | null;
  readonly chatbot: boolean;
  /** The stored state; at the start of an episode that of the one before. */
  readonly botState: unknown;
  readonly isNewEpisode: boolean;
  readonly said: readonly Said[];
}

/** Longer than any answer to a menu. The state keeps the last text, and is a column of the ticket. */
const maxTextLength = 500;

/**
 * Answers new messages by the bot (behaviour 5, rules 3 to 7), in the transaction that stores them: so each is answered
 * exactly once, also if the process crashes. What a batch brings of one chat is one turn. Costs no statement where nothing
 * is to be said or remembered. An assistant is asked by a job after the commit.
 */
export async function runBotTurns(
  ctx: Ctx,
  connectionId: number,
  chats: readonly BotChat[],
  assistants: AssistantKinds,
): Promise<void> {
  const active = chats.map((chat) => ({ chat, state: stateOf(chat, ctx.now()) })).filter(({ state }) => !state.isOver);
  if (active.length === 0) {
    return;
  }
  const script = await loadScript(ctx, connectionId, assistants);
  if (!hasBot(script)) {
    return;
  }
  // What a new episode keeps of the one before it is not stored yet: its beginning cleared the state.
  const decided = active
    .map(({ chat, state }) => ({ chat, state, decision: decideTurn(script, state, turnOf(chat, ctx.now())) }))
    .filter(({ state, decision, chat }) => state !== decision.state || (chat.isNewEpisode && state !== initialState));
  if (decided.length === 0) {
    return;
  }
  await saveDecisions(
    ctx,
    decided.map(({ chat: { ticketId, queueId, chatbot }, decision }) => ({ ticketId, queueId, chatbot, decision })),
  );
  const left = decided.filter(({ state, decision }) => state.assistant && decision.state.place !== "assistant");
  if (left.length > 0) {
    // An assistant that the customer left, by # or a word for a person, says no more.
    await withdrawPaused(
      ctx,
      left.map(({ chat }) => chat.ticketId),
    );
  }
  for (const { chat, decision } of decided) {
    if (decision.asksAssistant) {
      ctx.enqueue(assistantJob(chat.ticketId));
    }
  }

  await sendToTickets(
    ctx,
    connectionId,
    decided.map(({ chat: { ticketId }, decision: { messages } }) => ({ ticketId, messages })),
  );
}

function stateOf({ botState, isNewEpisode }: BotChat, at: Date): BotState {
  const state = parseState(botState);
  return isNewEpisode ? stateOfNewEpisode(state, at) : state;
}

function turnOf({ said }: BotChat, at: Date) {
  return { said: said.map((each) => ({ ...each, text: truncateText(each.text, maxTextLength) })), at };
}

/** A connection without queues, assistant, texts and hours has no bot. */
function hasBot({ queues, assistant, greeting, scheduleType }: BotScript): boolean {
  return queues.length > 0 || assistant !== null || !isBlank(greeting) || scheduleType === "company";
}
