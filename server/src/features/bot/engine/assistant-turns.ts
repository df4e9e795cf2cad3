import { truncateText } from "#server/platform/truncate-text.ts";
import { readNumber, readYesNo } from "../answers/index.ts";
import { textMessage } from "../bot.script.ts";
import type {
  Assistant,
  AssistantReply,
  BotDecision,
  BotMessage,
  BotScript,
  BotState,
  BotTurn,
} from "../bot.script.ts";
import { answered, decision, handOver } from "./decision.ts";
import { hoursOf, isClosedEverywhere } from "./hours.ts";
import { answersWithoutPause } from "./loops.ts";
import { sayThatPersonComes } from "./out-of-hours.ts";

/** Messages that an assistant is given at most in one turn; the rest are in its history. */
const maxUnanswered = 100;
/** Letters of a reply that tell it from the one before; the state is a column of the ticket. */
const maxReplyLength = 200;

/** An assistant is given later what was said out of hours. */
export function remember(state: BotState, { said }: BotTurn): BotState {
  return state.place === "assistant" ? { ...state, unanswered: withMessages(state, said) } : state;
}

function withMessages({ unanswered }: BotState, said: BotTurn["said"]): readonly number[] {
  return [...unanswered, ...said.map(({ messageId }) => messageId)].slice(-maxUnanswered);
}

/** Gives the turn to the assistant, with everything that it has not answered yet (rule 5). */
export function askAssistant(state: BotState, assistant: Assistant, { said, at }: BotTurn): BotDecision {
  const unanswered = withMessages(state, said);
  const askedAt = state.askedAt ?? at.toISOString();
  return { ...decision({ ...state, place: "assistant", assistant, unanswered, askedAt }, []), asksAssistant: true };
}

/** What an assistant answered, and to what. */
export interface AssistantAnswer extends AssistantReply {
  /** Ids of the messages that it answered; others arrived while it thought. */
  readonly answered: readonly number[];
  readonly at: Date;
}

/**
 * The turn after an assistant's answer: it goes on, hands over to a person, or is over (rule 5). Pure: the caller gives the ticket
 * to the named agent, or resolves it. Whatever an assistant says when it hands over: out of hours the text for them follows.
 * Nothing ends while something is unanswered: what was said while the assistant thought may be the next question.
 */
export function answerAsAssistant(script: BotScript, before: BotState, answer: AssistantAnswer): BotDecision {
  const { messages, handsOver, promise = "", queueId = before.queueId, userId, closes = false, at } = answer;
  const unanswered = before.unanswered.filter((id) => !answer.answered.includes(id));
  const askedAt = unanswered.length === 0 ? null : at.toISOString();
  const heard = { ...heardOut(before, messages), assistantAnswers: countAnswer(before, answer) };
  const state = { ...answered(before, answer), ...heard, queueId, unanswered, askedAt };
  if (closes && unanswered.length === 0) {
    return handOver(state, messages);
  }
  if (!handsOver && userId === undefined) {
    return decision(state, messages);
  }
  const { messages: words } = decision(state, messages);
  if (words.length > 0 && !isClosedEverywhere(script, hoursOf(script, queueId), at)) {
    return handOver(state, withPromise(words, promise));
  }
  const told = sayThatPersonComes(script, state, { said: [], at });
  return { ...told, messages: [...words, ...told.messages] };
}

/**
 * The same number, yes or no is no loop of another bot where the assistant went on to something else (a person chooses 1 in each of
 * its menus), or said nothing. A sentence that comes back whatever the assistant says is another bot's.
 */
function heardOut({ lastText, lastReply, repeats }: BotState, messages: readonly BotMessage[]) {
  const reply = truncateText(messages.map(({ text }) => text).join("\n"), maxReplyLength);
  const isAnswer = readNumber(lastText) !== undefined || readYesNo(lastText) !== undefined;
  return { lastReply: reply, repeats: isAnswer && (reply === "" || reply !== lastReply) ? 0 : repeats };
}

/** One that says nothing here, and perhaps by the API, is counted by nobody. */
function countAnswer(before: BotState, { messages, at }: AssistantAnswer): number {
  const isSilent = decision(before, messages).messages.length === 0;
  return answersWithoutPause(before, at) + (isSilent ? 0 : 1);
}

/** In the same message, where that is a text. */
function withPromise(words: readonly BotMessage[], promise: string): readonly BotMessage[] {
  const last = words.at(-1);
  if (promise === "" || !last) {
    return words;
  }
  const isText = last.media === null && last.fileListId === null;
  return isText
    ? [...words.slice(0, -1), { ...last, text: `${last.text} ${promise}` }]
    : [...words, textMessage(promise)];
}
