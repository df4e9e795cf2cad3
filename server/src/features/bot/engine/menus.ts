import { botCommands } from "@prosa/contract";
import { isBlank } from "@prosa/contract/blank";
import type { BotOption, BotQueue, BotScript, BotState } from "../bot.script.ts";

interface MenuLine {
  readonly option: string;
  readonly title: string;
  /** Of the queue or the option. */
  readonly id: number;
}

type LiveChoice = MenuLine & ({ readonly queue: BotQueue } | { readonly leadsTo: BotOption });

/** What a customer can choose in a menu, by its number or its title; or its number alone, where it is gone since it was printed. */
export type MenuChoice = LiveChoice | (MenuLine & { readonly isGone: true });

/**
 * The choices of the menu that the customer sees, or will see first. A number means the line that was printed beside it, although the
 * company has put others there since.
 */
export function choicesAt(script: BotScript, state: BotState): readonly MenuChoice[] {
  const lines = linesAt(script, state);
  const asPrinted = state.shown.map(({ option, id }): MenuChoice => {
    const line = lines.find((each) => each.id === id);
    return line ? { ...line, option } : { option, id, title: "", isGone: true };
  });
  return asPrinted.length > 0 ? asPrinted : lines;
}

/** The lines of the state's menu as it is now. */
export function linesAt(script: BotScript, { place, queueId, path }: BotState): readonly LiveChoice[] {
  const queue = queueOf(script, queueId);
  if (place === "queues" || place === "start") {
    // Also where a closed queue was chosen: its text stands below the menu, whose other lines still lead somewhere.
    return queueChoices(script);
  }
  return place === "options" && queue
    ? optionsAt(queue, path).map((each) => ({ option: each.option, title: each.title, id: each.id, leadsTo: each }))
    : [];
}

/** The menu of queues, under the connection's greeting (behaviour 5, rule 6). */
export function queueMenu(script: BotScript): string {
  const lines = queueChoices(script).map(menuLine);
  return paragraphs(script.greeting, lines.join("\n"), ways(script, { hasPrevious: false, hasMainMenu: false }));
}

/** The menu at a path of options: the queue's greeting, or the option's own message, above its children (rule 7). */
export function optionMenu(script: BotScript, queue: BotQueue, path: readonly number[]): string {
  const intro = path.length === 0 ? queue.greeting : (optionAt(queue, path)?.message ?? "");
  const isOneOfSeveral = script.queues.length > 1;
  const back = { hasPrevious: path.length > 0 || isOneOfSeveral, hasMainMenu: isOneOfSeveral };
  return paragraphs(intro, optionsAt(queue, path).map(menuLine).join("\n"), ways(script, back));
}

/** Joins the parts that are not blank. */
export function paragraphs(...parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => !isBlank(part))
    .join("\n\n");
}

export function queueOf(script: BotScript, queueId: number | null): BotQueue | undefined {
  return script.queues.find(({ id }) => id === queueId);
}

/** The beginning of a path whose options still exist and lead on: what stood below was deleted or moved since. */
export function livePath(queue: BotQueue, path: readonly number[]): readonly number[] {
  const end = path.findIndex((_, index) => (optionAt(queue, path.slice(0, index + 1))?.children ?? []).length === 0);
  return end === -1 ? path : path.slice(0, end);
}

function queueChoices({ queues }: BotScript): LiveChoice[] {
  return queues.map((queue, index) => ({ option: String(index + 1), title: queue.name, id: queue.id, queue }));
}

/** The ways out of a menu, printed under it (rule 3). */
function ways(
  { texts }: BotScript,
  { hasPrevious, hasMainMenu }: { readonly hasPrevious: boolean; readonly hasMainMenu: boolean },
): string {
  return [
    ...(hasPrevious ? [{ option: botCommands.previousMenu, title: texts.back }] : []),
    ...(hasMainMenu ? [{ option: botCommands.mainMenu, title: texts.mainMenu }] : []),
    { option: texts.stopWord, title: texts.stop },
  ]
    .map(menuLine)
    .join("\n");
}

function menuLine({ option, title }: { readonly option: string; readonly title: string }): string {
  return `*[ ${option} ]* - ${title}`;
}

function optionsAt(queue: BotQueue, path: readonly number[]): readonly BotOption[] {
  return path.length === 0 ? queue.options : (optionAt(queue, path)?.children ?? []);
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
