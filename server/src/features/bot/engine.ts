import { botCommands } from "@prosa/contract";
import { isBlank } from "@prosa/contract/blank";
import { meant } from "#server/features/queues/index.ts";
import { isOpenAt } from "./hours.ts";
import type { BotDecision, BotMessage, BotOption, BotQueue, BotScript, BotState, BotTurn } from "./bot.script.ts";

const { mainMenu, previousMenu, stop: stopWord } = botCommands;
/** The out-of-hours message goes out at most once in this time (behaviour 5, rule 4). */
const outOfHoursEveryMs = 3_600_000;
/**
 * A text that comes this often in a row and leads nowhere is another machine (behaviour 5: "another bot's loop is cut").
 * A person who answers 1, 1, 1 on the way down leads somewhere each time.
 */
const loopAfter = 3;

/**
 * What the bot does with what a customer wrote (behaviour 5, rules 3 to 7). Pure: state and text in, state, messages and
 * moves out. The shell sends, stores and moves; the preview plays the same function without a line.
 */
export function decideTurn(script: BotScript, before: BotState, turn: BotTurn): BotDecision {
  const state = withRepeats(before, turn.text);
  if (state.isOver) {
    return answer(state, [], "person");
  }
  const decision = answerTo(script, state, turn);
  return decision.state.repeats >= loopAfter && isSamePlace(state, decision.state) ? handOver(state, []) : decision;
}

function answerTo(script: BotScript, state: BotState, turn: BotTurn): BotDecision {
  const text = meant(turn.text);
  if (text === stopWord) {
    return handOver(state, [plain(script.words.waitForPerson)]);
  }
  // Out of a queue that is closed the ways back still lead: another may be open.
  const isLeaving = text === mainMenu || (text === previousMenu && state.path.length === 0);
  const queue = isLeaving ? undefined : queueOf(script, state.queueId);
  if (isClosed(script, queue, turn.at)) {
    return sayClosed(script, state, queue, turn.at);
  }
  if (!queue) {
    const isAtStart = isLeaving || text === "" || state.menusSent === 0;
    return isAtStart
      ? openMenu(script, { ...state, queueId: null, path: [] }, turn)
      : chooseQueue(script, state, turn, text);
  }
  if (text === previousMenu) {
    return goBack(script, state, queue, turn);
  }
  return walkOptions(script, state, queue, turn, text);
}

/** The first word of an episode, or the way back to its beginning: an assistant, the only queue, or the menu of queues. */
function openMenu(script: BotScript, state: BotState, turn: BotTurn): BotDecision {
  if (script.assistant) {
    return { ...answer(state, [], "assistant"), assistant: script.assistant };
  }
  const [only, ...others] = script.queues;
  if (!only) {
    return handOver(state, [plain(script.greeting)]);
  }
  if (others.length === 0) {
    return enterQueue(script, state, only, turn, script.greetsOneQueue ? [plain(script.greeting)] : []);
  }
  return showMenu(state, turn, queueMenu(script));
}

/** The answer to the menu of queues. */
function chooseQueue(script: BotScript, state: BotState, turn: BotTurn, text: string): BotDecision {
  const chosen = Number(text);
  const queue = /^\d{1,3}$/u.test(text) ? script.queues[chosen - 1] : undefined;
  return queue
    ? neverSilent(script, enterQueue(script, state, queue, turn, []))
    : repeatMenu(script, state, turn, queueMenu(script));
}

/** Rule 7: its hours, its assistant, its greeting, then its options. */
function enterQueue(
  script: BotScript,
  before: BotState,
  queue: BotQueue,
  turn: BotTurn,
  first: readonly BotMessage[],
): BotDecision {
  const state: BotState = { ...before, queueId: queue.id, path: [] };
  if (isClosed(script, queue, turn.at)) {
    return sayClosed(script, state, queue, turn.at);
  }
  if (queue.assistant) {
    return { ...answer(state, [...first, plain(queue.greeting)], "assistant"), assistant: queue.assistant };
  }
  if (queue.options.length === 0) {
    return handOver(state, [...first, plain(queue.greeting)]);
  }
  const menu = optionMenu(script, queue.greeting, queue.options, false);
  return showMenu(state, turn, [...first, menu]);
}

/** A choice in the option tree: further down, or a leaf that says its message and hands over to a person. */
function walkOptions(script: BotScript, state: BotState, queue: BotQueue, turn: BotTurn, text: string): BotDecision {
  if (queue.options.length === 0 && !queue.assistant) {
    // It was closed when it was chosen, or its options are gone.
    return enterQueue(script, state, queue, turn, []);
  }
  const here = optionsAt(queue, state.path);
  const option = here.find((each) => meant(each.option) === text);
  if (!option) {
    return repeatMenu(script, state, turn, [menuAt(script, queue, state.path)]);
  }
  const deeper: BotState = { ...state, path: [...state.path, option.id] };
  if (option.children.length === 0) {
    const words = { text: option.message, media: option.media, fileListId: option.fileListId };
    return neverSilent(script, handOver(deeper, [words]));
  }
  const file = option.media ?? option.fileListId;
  const files: BotMessage[] = file ? [{ text: "", media: option.media, fileListId: option.fileListId }] : [];
  return showMenu(deeper, turn, [...files, menuAt(script, queue, deeper.path)]);
}

/** Who made a choice hears something: where its own words are empty, that a person comes. Closed, that was said within the hour. */
function neverSilent(script: BotScript, decision: BotDecision): BotDecision {
  const isHandedOver = decision.outcome === "person" && decision.state.isOver;
  return isHandedOver && decision.messages.length === 0
    ? { ...decision, messages: [plain(script.words.waitForPerson)] }
    : decision;
}

function goBack(script: BotScript, state: BotState, queue: BotQueue, turn: BotTurn): BotDecision {
  const higher: BotState = { ...state, path: state.path.slice(0, -1) };
  return showMenu(higher, turn, [menuAt(script, queue, higher.path)]);
}

/** The menu that belongs here: after a choice, on the way back, or as the first word. */
function showMenu(state: BotState, turn: BotTurn, messages: readonly BotMessage[]): BotDecision {
  const shown = { ...state, menusSent: Math.max(state.menusSent, 1), lastMenuAt: turn.at.toISOString() };
  return answer(shown, messages, "bot");
}

/**
 * The same menu again, after a wrong answer (rule 6): so many times an episode, then the bot is silent and a person sees it
 * waiting; not again within the quiet time, though a right answer still counts.
 */
function repeatMenu(script: BotScript, state: BotState, turn: BotTurn, messages: readonly BotMessage[]): BotDecision {
  if (wasClosedSinceMenu(state)) {
    return showMenu(state, turn, messages);
  }
  if (script.maxMenus > 0 && state.menusSent >= script.maxMenus) {
    return handOver(state, []);
  }
  if (isQuiet(script, state, turn.at)) {
    return answer(state, [], "bot");
  }
  return showMenu({ ...state, menusSent: state.menusSent + 1 }, turn, messages);
}

/** The last that was said is that nobody is there: who writes now answers no menu, and gives no wrong answer. */
function wasClosedSinceMenu({ outOfHoursAt, lastMenuAt }: BotState): boolean {
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
 * Once in an hour; the message is kept and the ticket waits (rule 4). That is no loop, however often somebody says the same:
 * in the morning the bot is there.
 */
function sayClosed(script: BotScript, before: BotState, queue: BotQueue | undefined, at: Date): BotDecision {
  const state = { ...before, repeats: 0 };
  const wasSaid = state.outOfHoursAt !== null && at.getTime() - Date.parse(state.outOfHoursAt) < outOfHoursEveryMs;
  const text =
    script.scheduleType === "queue" && queue?.outOfHoursMessage ? queue.outOfHoursMessage : script.outOfHoursMessage;
  if (wasSaid || isBlank(text)) {
    return answer(state, [], "person");
  }
  return answer({ ...state, outOfHoursAt: at.toISOString() }, [plain(text)], "person");
}

function queueMenu(script: BotScript): BotMessage[] {
  const lines = script.queues.map((queue, index) => `*[ ${index + 1} ]* - ${queue.name}`);
  return [plain([script.greeting.trim(), lines.join("\n")].filter(Boolean).join("\n\n"))];
}

/** The menu of the place that the customer is at: an option's own words above its children. */
function menuAt(script: BotScript, queue: BotQueue, path: readonly number[]): BotMessage {
  const options = optionsAt(queue, path);
  const words = path.length === 0 ? queue.greeting : (optionAt(queue, path)?.message ?? "");
  return optionMenu(script, words, options, path.length > 0);
}

function optionMenu(script: BotScript, words: string, options: readonly BotOption[], isDeep: boolean): BotMessage {
  const lines = options.map((option) => `*[ ${option.option} ]* - ${option.title}`);
  const ways = [
    ...(isDeep || script.queues.length > 1 ? [`*[ ${previousMenu} ]* - ${script.words.back}`] : []),
    ...(script.queues.length > 1 ? [`*[ ${mainMenu} ]* - ${script.words.mainMenu}`] : []),
  ];
  return plain([words.trim(), lines.join("\n"), ways.join("\n")].filter(Boolean).join("\n\n"));
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

function isSamePlace(one: BotState, other: BotState): boolean {
  return one.queueId === other.queueId && one.path.join() === other.path.join();
}

function withRepeats(state: BotState, text: string): BotState {
  const same = text.trim() !== "" && text === state.lastText;
  return { ...state, lastText: text, repeats: same ? state.repeats + 1 : 1 };
}

function handOver(state: BotState, messages: readonly BotMessage[]): BotDecision {
  return answer({ ...state, isOver: true }, messages, "person");
}

function answer(state: BotState, messages: readonly BotMessage[], outcome: BotDecision["outcome"]): BotDecision {
  return {
    state,
    messages: messages.filter(({ text, media, fileListId }) => !isBlank(text) || media !== null || fileListId !== null),
    queueId: state.queueId,
    outcome,
    assistant: null,
  };
}

function plain(text: string): BotMessage {
  return { text, media: null, fileListId: null };
}
