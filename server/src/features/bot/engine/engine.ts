import { isBlank } from "@prosa/contract/blank";
import { isCourtesyText, readAnswer } from "../answers/index.ts";
import { textMessage } from "../bot.script.ts";
import type { BotDecision, BotMessage, BotOption, BotQueue, BotScript, BotState, BotTurn } from "../bot.script.ts";
import { askAssistant, remember } from "./assistant-turns.ts";
import { answered, arrive, decision, handOver } from "./decision.ts";
import { hear } from "./hear.ts";
import type { Heard } from "./hear.ts";
import { hoursOf, isClosed, plainClosedText } from "./hours.ts";
import { cutLoop } from "./loops.ts";
import { choicesAt, linesAt, livePath, optionMenu, paragraphs, queueMenu, queueOf } from "./menus.ts";
import { outOfHours, sayThatPersonComes, wasOutOfHoursSent, wasOutOfHoursSinceMenu } from "./out-of-hours.ts";

/**
 * Decides the bot's one answer to all that a customer said since the last one (behaviour 5, rules 3 to 7). Pure: state and
 * turn in, state, messages and queue out. The caller sends, stores and moves; the preview runs the same function without
 * a line. The state comes back as it was where nothing changed.
 */
export function decideTurn(script: BotScript, before: BotState, turn: BotTurn): BotDecision {
  if (before.isOver) {
    return decision(before, []);
  }
  const next = decideAnswer(script, before, turn);
  const isAnswered = next.messages.length > 0 || next.asksAssistant;
  return isAnswered && next.state.outOfHoursAt === before.outOfHoursAt ? cutLoop(script, before, next, turn) : next;
}

function decideAnswer(script: BotScript, state: BotState, turn: BotTurn): BotDecision {
  const heard = hear(script, state, turn);
  if (heard.kind === "command" && heard.command === "stop") {
    return stop(script, state, turn);
  }
  // The ways back work in a closed queue too: another queue may be open.
  const isLeaving =
    heard.kind === "command" && (heard.command === "mainMenu" || state.path.length === 0 || state.queueId === null);
  const queue = isLeaving ? undefined : queueOf(script, state.queueId);
  // Who waits was perhaps handed over to a queue that is in no menu of this connection.
  const hours = state.place === "waiting" && !isLeaving ? hoursOf(script, state.queueId) : queue;
  if (isClosed(script, hours, turn.at)) {
    const other = otherQueue(state, heard);
    return other && script.scheduleType === "queue"
      ? enterQueue(script, state, other, turn, "")
      : outOfHours(script, remember(state, turn), hours, turn.at);
  }
  if (isLeaving) {
    return openMenu(script, state, turn);
  }
  if (heard.kind === "command" && queue) {
    const above = livePath(queue, state.path.slice(0, -1));
    return showMenu(arrive(state, "options", queue.id, above), turn, script, queue);
  }
  return decideAt(script, state, turn, heard, queue);
}

/** Another line of the menu, where a closed queue was chosen from it. */
function otherQueue({ queueId }: BotState, heard: Heard): BotQueue | undefined {
  const isOther = heard.kind === "choice" && "queue" in heard.choice && heard.choice.queue.id !== queueId;
  return isOther && queueId !== null ? heard.choice.queue : undefined;
}

/** A turn without a command, in opening hours. */
function decideAt(
  script: BotScript,
  state: BotState,
  turn: BotTurn,
  heard: Heard,
  queue: BotQueue | undefined,
): BotDecision {
  if (state.place === "waiting") {
    return decision(state, []);
  }
  if (state.place === "assistant") {
    return continueWithAssistant(script, state, turn, queue);
  }
  const choice = heard.kind === "choice" ? heard.choice : undefined;
  if (choice && !("isGone" in choice)) {
    return "queue" in choice
      ? enterQueue(script, state, choice.queue, turn, "")
      : chooseOption(script, state, turn, choice.leadsTo, queue);
  }
  if (queue) {
    // The queue was closed when it was chosen, or its options were deleted since.
    const isInside = state.place === "options" && queue.options.length > 0;
    return isInside ? answerNoChoice(script, state, turn, heard, queue) : enterQueue(script, state, queue, turn, "");
  }
  return state.place === "queues"
    ? answerNoChoice(script, state, turn, heard, undefined)
    : openMenu(script, state, turn);
}

/** The start of an episode, or the way back to it: an assistant, the only queue, or the menu of queues. */
function openMenu(script: BotScript, state: BotState, turn: BotTurn): BotDecision {
  const isBack = state.place !== "start";
  const [only, ...others] = script.queues;
  // Whoever goes back from an assistant gets the menu, if there is one.
  if (script.assistant && !(isBack && only)) {
    return askAssistant(arrive(state, "assistant", null), script.assistant, turn);
  }
  if (!only) {
    return isBack ? decision(state, []) : handOver(state, [textMessage(script.greeting)]);
  }
  if (others.length === 0) {
    return enterQueue(script, state, only, turn, script.greetsOneQueue && !isBack ? script.greeting : "");
  }
  return showMenu(arrive(state, "queues", null), turn, script, undefined);
}

/** Enters a queue (rule 7): checks its hours, then its assistant, its greeting and its options. */
function enterQueue(
  script: BotScript,
  before: BotState,
  queue: BotQueue,
  turn: BotTurn,
  greeting: string,
): BotDecision {
  const isChosen = script.queues.length > 1;
  if (isClosed(script, queue, turn.at)) {
    return enterClosedQueue(script, before, queue, turn);
  }
  const intro = paragraphs(greeting, queue.greeting);
  if (queue.assistant) {
    const state = arrive(before, "assistant", queue.id);
    if (intro === "") {
      return askAssistant(state, queue.assistant, turn);
    }
    const greeted = answered({ ...state, assistant: queue.assistant }, turn);
    return saysMore(script, before, turn)
      ? { ...askAssistant(greeted, queue.assistant, turn), messages: [textMessage(intro)] }
      : decision(greeted, [textMessage(intro)]);
  }
  if (queue.options.length === 0) {
    const state = arrive(before, "options", queue.id);
    return intro === "" && isChosen ? sayThatPersonComes(script, state, turn) : handOver(state, [textMessage(intro)]);
  }
  return showMenu(arrive(before, "options", queue.id), turn, script, queue, { intro: greeting });
}

/** Does a turn hold more than the way to a queue and courtesies, which its greeting answers? The rest is for its assistant (rule 5). */
function saysMore(script: BotScript, before: BotState, { said }: BotTurn): boolean {
  const choices = choicesAt(script, before);
  return said.some(({ kind, text }) =>
    kind === "chat"
      ? !isBlank(text) && !isCourtesyText(text) && readAnswer(choices, text).kind === "other"
      : kind !== "sticker",
  );
}

/**
 * A closed queue says so (rule 4). Where the out-of-hours message was sent within the hour, a choice that is not the same one
 * again gets the plain sentence: a right choice is never met by silence.
 */
function enterClosedQueue(script: BotScript, before: BotState, queue: BotQueue, turn: BotTurn): BotDecision {
  // The menu of queues stays in sight.
  const shown = before.place === "options" ? [] : before.shown;
  const state = { ...arrive(before, "start", queue.id), shown };
  const isRepeated = before.queueId === queue.id && wasOutOfHoursSinceMenu(before);
  return wasOutOfHoursSent(before, turn.at) && !isRepeated
    ? { ...decision(answered(state, turn), [textMessage(plainClosedText(script, queue, turn.at))]), outcome: "person" }
    : outOfHours(script, state, queue, turn.at);
}

/** A choice in the option tree: one level down, or a leaf, which sends its message and hands over to a person. */
function chooseOption(
  script: BotScript,
  state: BotState,
  turn: BotTurn,
  option: BotOption,
  queue: BotQueue | undefined,
): BotDecision {
  const deeper = arrive(state, "options", state.queueId, [...state.path, option.id]);
  const { media, fileListId } = option;
  if (option.children.length === 0 || !queue) {
    // A choice is never unanswered: a leaf without words says that a person comes.
    const isSilent = isBlank(option.message);
    const text = isSilent ? script.texts.waitForPerson : option.message;
    return handOver({ ...deeper, toldToWait: isSilent }, [{ text, media, fileListId }]);
  }
  const hasFiles = media !== null || fileListId !== null;
  return showMenu(deeper, turn, script, queue, { files: hasFiles ? [{ text: "", media, fileListId }] : [] });
}

/**
 * The answer to what is no choice (rule 6). Media are asked for a number once an episode. A wrong answer gets the menu
 * again, at most `maxRepeats` times at this place and not within the quiet time; then it is said that a person comes.
 */
function answerNoChoice(
  script: BotScript,
  state: BotState,
  turn: BotTurn,
  heard: Heard,
  queue: BotQueue | undefined,
): BotDecision {
  const path = queue ? livePath(queue, state.path) : state.path;
  if (heard.kind === "choice" || path.length < state.path.length) {
    // The menu that they see was edited since: no fault of theirs.
    const here = arrive(state, state.place, state.queueId, path);
    return showMenu(here, turn, script, queue, { intro: script.texts.notUnderstood });
  }
  if (heard.kind === "early") {
    return decision({ ...state, heardAt: turn.said.at(-1)?.at.toISOString() ?? null }, []);
  }
  if (wasOutOfHoursSinceMenu(state)) {
    return showMenu(state, turn, script, queue);
  }
  if (heard.kind === "media") {
    return state.askedForNumber
      ? decision(state, [])
      : decision(answered({ ...state, askedForNumber: true }, turn), [textMessage(script.texts.sendNumber)]);
  }
  if (script.maxRepeats > 0 && state.wrongAnswers >= script.maxRepeats) {
    return sayThatPersonComes(script, state, turn);
  }
  if (isQuiet(script, state, turn.at)) {
    return decision(state, []);
  }
  const counted = { ...state, wrongAnswers: state.wrongAnswers + 1 };
  return showMenu(counted, turn, script, queue, { intro: script.texts.notUnderstood });
}

/** Sends the menu of the state's place: in one message with `intro`, after `files`. */
function showMenu(
  state: BotState,
  turn: BotTurn,
  script: BotScript,
  queue: BotQueue | undefined,
  { intro = "", files = [] }: { readonly intro?: string; readonly files?: readonly BotMessage[] } = {},
): BotDecision {
  const menu = queue ? optionMenu(script, queue, state.path) : queueMenu(script);
  const shown = linesAt(script, state).map(({ option, id }) => ({ option, id }));
  const told = { ...answered(state, turn), shown, lastMenuAt: turn.at.toISOString() };
  return decision(told, [...files, textMessage(paragraphs(intro, menu))]);
}

/** The assistant keeps the conversation, unless the queue or the connection no longer has it. */
function continueWithAssistant(
  script: BotScript,
  state: BotState,
  turn: BotTurn,
  queue: BotQueue | undefined,
): BotDecision {
  const { kind, id } = (queue ?? script).assistant ?? {};
  if (state.assistant && kind === state.assistant.kind && id === state.assistant.id) {
    return askAssistant(state, state.assistant, turn);
  }
  return queue ? enterQueue(script, state, queue, turn, "") : openMenu(script, state, turn);
}

/** The move of a ticket whose contact has not chosen a queue in time (rule "timers"); without one, nothing changes. Pure. */
export function decideTransfer(script: BotScript, before: BotState, at: Date): BotDecision {
  const { transfer, texts } = script;
  const isWaiting = before.answeredAt !== null && !before.isOver && before.queueId === null && isOpenEnded(before);
  const waitedMs = at.getTime() - Date.parse(before.answeredAt ?? at.toISOString());
  if (!transfer || !isWaiting || waitedMs < transfer.afterMinutes * 60_000) {
    return decision(before, []);
  }
  const { queue } = transfer;
  const hadMenu = before.place === "queues";
  const text = texts.moved({ hadMenu, hasPerson: !isClosed(script, queue, at) });
  return decision({ ...before, queueId: queue.id, isOver: true }, [textMessage(text)]);
}

function isOpenEnded({ place }: BotState): boolean {
  return place !== "rating" && place !== "ended";
}

/** `sair` (rule 3): the bot stops, and a person comes if there is one now. */
function stop(script: BotScript, state: BotState, turn: BotTurn): BotDecision {
  if (state.place === "waiting" && state.toldToWait) {
    return decision(state, []);
  }
  return sayThatPersonComes(script, state, turn);
}

function isQuiet({ quietMinutes }: BotScript, { lastMenuAt }: BotState, at: Date): boolean {
  return quietMinutes > 0 && lastMenuAt !== null && at.getTime() - Date.parse(lastMenuAt) < quietMinutes * 60_000;
}
