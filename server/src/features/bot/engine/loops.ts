import { loopRules } from "@prosa/contract";
import { isBlank } from "@prosa/contract/blank";
import { readAnswer } from "../answers/index.ts";
import type { BotDecision, BotScript, BotState, BotTurn } from "../bot.script.ts";
import { sayThatPersonComes } from "./out-of-hours.ts";

/**
 * Counts what a machine at the other end does, and hands over to a person when it is one (behaviour 5: "another bot's loop is cut"):
 * it repeats itself, writes to an assistant faster than anybody can, or never tires of it, nor of a menu without a limit. Pure.
 */
export function cutLoop(script: BotScript, before: BotState, next: BotDecision, turn: BotTurn): BotDecision {
  const lastText = turn.said.map(({ text }) => text).join("\n");
  const repeats = isRepeated(before, next.state, lastText) ? before.repeats + 1 : 1;
  const quickTurns = quickTurnsAfter(before, turn);
  const assistantAnswers = answersWithoutPause(before, turn.at);
  const isTireless = quickTurns >= loopRules.quickTurns || assistantAnswers >= loopRules.answers;
  const isLost = script.maxRepeats === 0 && next.state.wrongAnswers >= loopRules.answers;
  if (repeats < loopRules.sameTexts && !(next.asksAssistant && isTireless) && !isLost) {
    return { ...next, state: { ...next.state, lastText, repeats, quickTurns, assistantAnswers } };
  }
  // In the queue that this turn has chosen, whose person is to come.
  const { queueId, path } = next.state;
  return sayThatPersonComes(
    script,
    { ...before, queueId, path, wrongAnswers: 0, quickTurns: 0, assistantAnswers: 0 },
    turn,
  );
}

/** How many answers an assistant has given until now; none where the last is an hour old. */
export function answersWithoutPause({ assistantAnswers, answeredAt }: BotState, at: Date): number {
  const isPaused = answeredAt !== null && at.getTime() - Date.parse(answeredAt) >= loopRules.pauseMs;
  return isPaused ? 0 : assistantAnswers;
}

/** A person who answers 1, 1, 1 moves one level down each time, and the ways work as often as one likes: no other bot knows them. */
function isRepeated(before: BotState, after: BotState, text: string): boolean {
  const isWay = readAnswer([], text).kind === "command";
  return !isBlank(text) && !isWay && text === before.lastText && isSamePlace(before, after);
}

function isSamePlace(one: BotState, other: BotState): boolean {
  return one.place === other.place && one.queueId === other.queueId && one.path.join() === other.path.join();
}

/**
 * By the server's clock alone, which both times are of: WhatsApp's may differ by more than a short text takes. A late delivery only
 * makes a turn slower. What was said while the assistant thought, or to one that said nothing here, tells nothing.
 */
function quickTurnsAfter({ place, lastReply, unanswered, answeredAt, quickTurns }: BotState, turn: BotTurn): number {
  if (place !== "assistant" || lastReply === "" || unanswered.length > 0 || answeredAt === null) {
    return quickTurns;
  }
  const letters = turn.said.reduce((sum, { kind, text }) => sum + (kind === "chat" ? text.length : 0), 0);
  const seconds = (turn.at.getTime() - Date.parse(answeredAt)) / 1_000;
  // One second more, because a word or two may come at once.
  return letters > (seconds + 1) * loopRules.lettersPerSecond ? quickTurns + 1 : 0;
}
