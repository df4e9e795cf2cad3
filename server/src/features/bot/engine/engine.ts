import { botCommands } from "@prosa/contract";
import { isBlank } from "@prosa/contract/blank";
import { isOpenAt } from "./opening-hours.ts";
import { matchOption, matchQueue, readMenuAnswer } from "./menu-answer.ts";
import type { MenuAnswer } from "./menu-answer.ts";
import { textMessage } from "../bot.script.ts";
import type { BotDecision, BotMessage, BotOption, BotQueue, BotScript, BotState, BotTurn } from "../bot.script.ts";

/** The out-of-hours message is sent at most once in this time (behaviour 5, rule 4). */
const outOfHoursIntervalMs = 3_600_000;
/**
 * The same text this often in a row, without moving in the menus, comes from another bot (behaviour 5: "another bot's
 * loop is cut"). A person who answers 1, 1, 1 moves one level down each time.
 */
const loopAfter = 3;

/**
 * Decides the bot's turn after a customer's message (behaviour 5, rules 3 to 7). Pure: state and text in, state, messages
 * and queue out. The caller sends, stores and moves; the preview runs the same function without a line.
 */
export function decideTurn(script: BotScript, before: BotState, turn: BotTurn): BotDecision {
  const state = countRepeats(before, turn.text);
  if (state.isOver) {
    return decision(state, [], "person");
  }
  const next = decideAnswer(script, state, turn);
  return next.state.repeats >= loopAfter && isSameMenu(state, next.state) ? handOver(state, []) : next;
}

function decideAnswer(script: BotScript, state: BotState, turn: BotTurn): BotDecision {
  const answer = readMenuAnswer(turn.text);
  if (answer.command === "stop") {
    return handOver(state, [textMessage(script.texts.waitForPerson)]);
  }
  // The commands back work in a closed queue too: another queue may be open.
  const isLeaving = answer.command === "mainMenu" || (answer.command === "previousMenu" && state.path.length === 0);
  const queue = isLeaving ? undefined : queueOf(script, state.queueId);
  if (isClosed(script, queue, turn.at)) {
    return outOfHours(script, state, queue, turn.at);
  }
  if (!queue) {
    const isAtStart = isLeaving || answer.text === "" || state.menusSent === 0;
    return isAtStart
      ? openMenu(script, { ...state, queueId: null, path: [] }, turn)
      : chooseQueue(script, state, turn, answer);
  }
  if (answer.command === "previousMenu") {
    return goBack(script, state, queue, turn);
  }
  return chooseOption(script, state, queue, turn, answer);
}

/** The start of an episode, or the command back to it: an assistant, the only queue, or the menu of queues. */
function openMenu(script: BotScript, state: BotState, turn: BotTurn): BotDecision {
  if (script.assistant) {
    return { ...decision(state, [], "assistant"), assistant: script.assistant };
  }
  const [only, ...others] = script.queues;
  if (!only) {
    return handOver(state, [textMessage(script.greeting)]);
  }
  if (others.length === 0) {
    return enterQueue(script, state, only, turn, script.greetsOneQueue ? [textMessage(script.greeting)] : []);
  }
  return showMenu(state, turn, queueMenu(script));
}

/** The answer to the menu of queues. */
function chooseQueue(script: BotScript, state: BotState, turn: BotTurn, answer: MenuAnswer): BotDecision {
  const queue = matchQueue(script.queues, answer);
  return queue
    ? withHandoverText(script, enterQueue(script, state, queue, turn, []))
    : repeatMenu(script, state, turn, queueMenu(script));
}

/** Enters a queue (rule 7): checks its hours, then its assistant, its greeting and its options. */
function enterQueue(
  script: BotScript,
  before: BotState,
  queue: BotQueue,
  turn: BotTurn,
  first: readonly BotMessage[],
): BotDecision {
  const state: BotState = { ...before, queueId: queue.id, path: [] };
  if (isClosed(script, queue, turn.at)) {
    return outOfHours(script, state, queue, turn.at);
  }
  if (queue.assistant) {
    return { ...decision(state, [...first, textMessage(queue.greeting)], "assistant"), assistant: queue.assistant };
  }
  if (queue.options.length === 0) {
    return handOver(state, [...first, textMessage(queue.greeting)]);
  }
  const menu = optionMenu(script, queue.greeting, queue.options, false);
  return showMenu(state, turn, [...first, menu]);
}

/** A choice in the option tree: one level down, or a leaf, which sends its message and hands over to a person. */
function chooseOption(
  script: BotScript,
  state: BotState,
  queue: BotQueue,
  turn: BotTurn,
  answer: MenuAnswer,
): BotDecision {
  if (queue.options.length === 0 && !queue.assistant) {
    // The queue was closed when it was chosen, or its options were deleted since.
    return enterQueue(script, state, queue, turn, []);
  }
  const option = matchOption(optionsAt(queue, state.path), answer);
  if (!option) {
    return repeatMenu(script, state, turn, [menuAt(script, queue, state.path)]);
  }
  const deeper: BotState = { ...state, path: [...state.path, option.id] };
  if (option.children.length === 0) {
    const leaf = { text: option.message, media: option.media, fileListId: option.fileListId };
    return withHandoverText(script, handOver(deeper, [leaf]));
  }
  const file = option.media ?? option.fileListId;
  const files: BotMessage[] = file ? [{ text: "", media: option.media, fileListId: option.fileListId }] : [];
  return showMenu(deeper, turn, [...files, menuAt(script, queue, deeper.path)]);
}

/** A choice that hands over without a text of its own gets the text that a person will come, so that it is never unanswered. */
function withHandoverText(script: BotScript, chosen: BotDecision): BotDecision {
  const isHandedOver = chosen.outcome === "person" && chosen.state.isOver;
  return isHandedOver && chosen.messages.length === 0
    ? { ...chosen, messages: [textMessage(script.texts.waitForPerson)] }
    : chosen;
}

function goBack(script: BotScript, state: BotState, queue: BotQueue, turn: BotTurn): BotDecision {
  const higher: BotState = { ...state, path: state.path.slice(0, -1) };
  return showMenu(higher, turn, [menuAt(script, queue, higher.path)]);
}

/** Sends the current menu: after a choice, a command back, or at the start. */
function showMenu(state: BotState, turn: BotTurn, messages: readonly BotMessage[]): BotDecision {
  const shown = { ...state, menusSent: Math.max(state.menusSent, 1), lastMenuAt: turn.at.toISOString() };
  return decision(shown, messages, "bot");
}

/**
 * Repeats the menu after an invalid answer (rule 6): at most `maxMenus` per episode, then the bot is silent and the ticket
 * waits for a person. Within the quiet time the menu is not repeated; a valid answer still counts.
 */
function repeatMenu(script: BotScript, state: BotState, turn: BotTurn, messages: readonly BotMessage[]): BotDecision {
  if (wasOutOfHoursSinceMenu(state)) {
    return showMenu(state, turn, messages);
  }
  if (script.maxMenus > 0 && state.menusSent >= script.maxMenus) {
    return handOver(state, []);
  }
  if (isQuiet(script, state, turn.at)) {
    return decision(state, [], "bot");
  }
  return showMenu({ ...state, menusSent: state.menusSent + 1 }, turn, messages);
}

/** True if the out-of-hours message is newer than the last menu: the text then answers no menu, and is not invalid. */
function wasOutOfHoursSinceMenu({ outOfHoursAt, lastMenuAt }: BotState): boolean {
  return outOfHoursAt !== null && (lastMenuAt === null || Date.parse(lastMenuAt) <= Date.parse(outOfHoursAt));
}

function isQuiet(script: BotScript, state: BotState, at: Date): boolean {
  return (
    script.quietMinutes > 0 &&
    state.lastMenuAt !== null &&
    at.getTime() - Date.parse(state.lastMenuAt) < script.quietMinutes * 60_000
  );
}

function isClosed(script: BotScript, queue: BotQueue | undefined, at: Date): boolean {
  switch (script.scheduleType) {
    case "disabled":
      return false;
    case "company":
      return !isOpenAt(script.companySchedules, at, script.timeZone);
    case "queue":
      return queue !== undefined && !isOpenAt(queue.schedules, at, script.timeZone);
  }
}

/**
 * Sends the out-of-hours message, at most once per hour; the ticket waits (rule 4). Repeated texts do not count as a loop
 * here, so that the bot answers when it opens.
 */
function outOfHours(script: BotScript, before: BotState, queue: BotQueue | undefined, at: Date): BotDecision {
  const state = { ...before, repeats: 0 };
  const wasSent = state.outOfHoursAt !== null && at.getTime() - Date.parse(state.outOfHoursAt) < outOfHoursIntervalMs;
  const text =
    script.scheduleType === "queue" && queue?.outOfHoursMessage ? queue.outOfHoursMessage : script.outOfHoursMessage;
  if (wasSent || isBlank(text)) {
    return decision(state, [], "person");
  }
  return decision({ ...state, outOfHoursAt: at.toISOString() }, [textMessage(text)], "person");
}

function queueMenu(script: BotScript): BotMessage[] {
  const lines = script.queues.map((queue, index) => `*[ ${index + 1} ]* - ${queue.name}`);
  return [textMessage([script.greeting.trim(), lines.join("\n")].filter(Boolean).join("\n\n"))];
}

/** The menu at a path of options: the option's own message above its children. */
function menuAt(script: BotScript, queue: BotQueue, path: readonly number[]): BotMessage {
  const options = optionsAt(queue, path);
  const intro = path.length === 0 ? queue.greeting : (optionAt(queue, path)?.message ?? "");
  return optionMenu(script, intro, options, path.length > 0);
}

function optionMenu(script: BotScript, intro: string, options: readonly BotOption[], isDeep: boolean): BotMessage {
  const lines = options.map((option) => `*[ ${option.option} ]* - ${option.title}`);
  const commands = [
    ...(isDeep || script.queues.length > 1 ? [`*[ ${botCommands.previousMenu} ]* - ${script.texts.back}`] : []),
    ...(script.queues.length > 1 ? [`*[ ${botCommands.mainMenu} ]* - ${script.texts.mainMenu}`] : []),
  ];
  return textMessage([intro.trim(), lines.join("\n"), commands.join("\n")].filter(Boolean).join("\n\n"));
}

function optionsAt(queue: BotQueue, path: readonly number[]): readonly BotOption[] {
  return path.length === 0 ? queue.options : (optionAt(queue, path)?.children ?? queue.options);
}

function optionAt(queue: BotQueue, path: readonly number[]): BotOption | undefined {
  let options = queue.options;
  let found: BotOption | undefined;
  for (const id of path) {
    found = options.find((option) => option.id === id);
    options = found?.children ?? [];
  }
  return found;
}

function queueOf(script: BotScript, queueId: number | null): BotQueue | undefined {
  return script.queues.find(({ id }) => id === queueId);
}

function isSameMenu(one: BotState, other: BotState): boolean {
  return one.queueId === other.queueId && one.path.join() === other.path.join();
}

function countRepeats(state: BotState, text: string): BotState {
  const same = text.trim() !== "" && text === state.lastText;
  return { ...state, lastText: text, repeats: same ? state.repeats + 1 : 1 };
}

function handOver(state: BotState, messages: readonly BotMessage[]): BotDecision {
  return decision({ ...state, isOver: true }, messages, "person");
}

function decision(state: BotState, messages: readonly BotMessage[], outcome: BotDecision["outcome"]): BotDecision {
  return {
    state,
    messages: messages.filter(({ text, media, fileListId }) => !isBlank(text) || media !== null || fileListId !== null),
    queueId: state.queueId,
    outcome,
    assistant: null,
  };
}
