import type { Assistant, AssistantReply, BotDecision, BotScript, BotState, BotTurn } from "../bot.script.ts";
import { answered, decision, handOver } from "./decision.ts";
import { sayThatPersonComes } from "./out-of-hours.ts";

/** Messages that an assistant is given at most in one turn; the rest are in its history. */
const maxUnanswered = 100;

/** An assistant is given later what was said out of hours. */
export function remember(state: BotState, { said }: BotTurn): BotState {
  return state.place === "assistant" ? { ...state, unanswered: withMessages(state, said) } : state;
}

function withMessages({ unanswered }: BotState, said: BotTurn["said"]): readonly number[] {
  return [...unanswered, ...said.map(({ messageId }) => messageId)].slice(-maxUnanswered);
}

/** Gives the turn to the assistant, with everything that it has not answered yet (rule 5). */
export function askAssistant(state: BotState, assistant: Assistant, { said }: BotTurn): BotDecision {
  const unanswered = withMessages(state, said);
  return { ...decision({ ...state, place: "assistant", assistant, unanswered }, []), asksAssistant: true };
}

/** What an assistant answered, and to what. */
export interface AssistantAnswer extends AssistantReply {
  /** Ids of the messages that it answered; others arrived while it thought. */
  readonly answered: readonly number[];
  readonly at: Date;
}

/**
 * The turn after an assistant's answer: it goes on, hands over to a person, or is over (rule 5). Pure: the caller gives the ticket
 * to the named agent, or resolves it.
 */
export function answerAsAssistant(script: BotScript, before: BotState, answer: AssistantAnswer): BotDecision {
  const { messages, handsOver, queueId = before.queueId, userId, closes = false, at } = answer;
  const unanswered = before.unanswered.filter((id) => !answer.answered.includes(id));
  const state = { ...answered(before, answer), queueId, unanswered };
  if (closes) {
    return handOver(state, messages);
  }
  if (!handsOver && userId === undefined) {
    return decision(state, messages);
  }
  const isSilent = decision(state, messages).messages.length === 0;
  return isSilent ? sayThatPersonComes(script, state, { said: [], at }) : handOver(state, messages);
}
