import { textMessage } from "../bot.script.ts";
import type { BotDecision, BotScript, BotState, BotTurn, QueueHours } from "../bot.script.ts";
import { decision, handOver } from "./decision.ts";
import { readingMs } from "./hear.ts";
import { closedText, hoursOf, isClosedEverywhere, plainClosedText } from "./hours.ts";

/** The out-of-hours message is sent at most once in this time (behaviour 5, rule 4). */
const outOfHoursIntervalMs = 3_600_000;

/** Nothing promises a person while there is none (rule 4). */
export function sayThatPersonComes(script: BotScript, state: BotState, turn: BotTurn): BotDecision {
  const queue = hoursOf(script, state.queueId);
  return isClosedEverywhere(script, queue, turn.at)
    ? sayThatClosed(script, state, turn, queue)
    : handOver({ ...state, toldToWait: true }, [textMessage(script.texts.waitForPerson)]);
}

/** The ticket waits for a person, who comes when it opens. */
function sayThatClosed(script: BotScript, state: BotState, turn: BotTurn, queue: QueueHours | undefined): BotDecision {
  const told = { ...state, toldToWait: true, outOfHoursAt: turn.at.toISOString() };
  if (!wasOutOfHoursSent(state, turn.at)) {
    return handOver(told, [textMessage(closedText(script, queue, turn.at))]);
  }
  const plain = plainClosedText(script, queue, turn.at);
  // Nobody has read yet what was sent seconds ago: the same words are not sent twice in a burst.
  const isEcho = wasJustSent(state, turn) && plain === closedText(script, queue, turn.at);
  return isEcho ? handOver({ ...state, toldToWait: true }, []) : handOver(told, [textMessage(plain)]);
}

/** Was the out-of-hours message sent too shortly before these words to be read? */
function wasJustSent({ outOfHoursAt }: BotState, { said, at }: BotTurn): boolean {
  const last = said.at(-1)?.at ?? at;
  return outOfHoursAt !== null && last.getTime() - Date.parse(outOfHoursAt) < readingMs;
}

/** Sends the out-of-hours message, at most once per hour; the ticket waits (rule 4). */
export function outOfHours(script: BotScript, state: BotState, queue: QueueHours | undefined, at: Date): BotDecision {
  if (wasOutOfHoursSent(state, at)) {
    return { ...decision(state, []), outcome: "person" };
  }
  const told = { ...state, outOfHoursAt: at.toISOString(), answeredAt: at.toISOString() };
  return { ...decision(told, [textMessage(closedText(script, queue, at))]), outcome: "person" };
}

export function wasOutOfHoursSent({ outOfHoursAt }: BotState, at: Date): boolean {
  return outOfHoursAt !== null && at.getTime() - Date.parse(outOfHoursAt) < outOfHoursIntervalMs;
}

/** True if the out-of-hours message is newer than the last menu: a text then answers no menu, and is not wrong. */
export function wasOutOfHoursSinceMenu({ outOfHoursAt, lastMenuAt }: BotState): boolean {
  return outOfHoursAt !== null && (lastMenuAt === null || Date.parse(lastMenuAt) <= Date.parse(outOfHoursAt));
}
