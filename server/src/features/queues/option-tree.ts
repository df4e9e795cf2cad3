/** The option tree of a queue: parents, order, and the answers that customers type. Pure. */
import { botCommands, stopWord } from "@prosa/contract";
import { normalizeAnswer } from "@prosa/contract/normalize-answer";

/** The part of an option that its position in the tree needs. */
export interface TreeItem {
  readonly id: number;
  readonly parent_id: number | null;
}

/** The options of one parent; null is the first level. `all` must be in the order of positions. */
export function childrenOf<T extends TreeItem>(all: readonly T[], parentId: number | null): T[] {
  return all.filter(({ parent_id: parent }) => parent === parentId);
}

/** True if `id` is the ancestor or below it: an option cannot move there. */
export function isWithin(all: readonly TreeItem[], id: number, ancestorId: number): boolean {
  const parents = new Map(all.map((option) => [option.id, option.parent_id]));
  for (let at: number | null = id; at !== null; at = parents.get(at) ?? null) {
    if (at === ancestorId) {
      return true;
    }
  }
  return false;
}

/** An option and all options below it. */
export function subtreeOf<T extends TreeItem>(all: readonly T[], id: number): T[] {
  return all.filter((option) => isWithin(all, option.id, id));
}

/** A level in its new order: `id` at `position`, or last; the others keep their order. */
export function moveTo<T extends { readonly id: number }>(
  level: readonly T[],
  id: number,
  position = Number.POSITIVE_INFINITY,
): T[] {
  const others = level.filter((other) => other.id !== id);
  return [...others.slice(0, position), ...level.filter((each) => each.id === id), ...others.slice(position)];
}

/** The lowest number that no option of the level has. */
export function nextFreeNumber(taken: readonly string[]): string {
  let number = 1;
  while (taken.includes(String(number))) {
    number += 1;
  }
  return String(number);
}

/** True for the commands that are printed under menus: #, 0 in any form, and the word for a person in each language. */
export function isBotCommand(option: string): boolean {
  const text = normalizeAnswer(option);
  return [...Object.values<string>(botCommands), ...Object.values(stopWord)].includes(text) || zero.test(text);
}

/** Whoever types one of these goes back: the bot reads numbers, not digits. */
const zero = /^(?:0+|zero|cero)$/u;

/** True if an option may have this answer beside those taken; both are normalized as customers' answers are. */
export function isAnswerFree(option: string, taken: readonly string[]): boolean {
  const text = normalizeAnswer(option);
  return !isBotCommand(option) && !taken.some((other) => normalizeAnswer(other) === text);
}

/** Numbers as people count: without leading zeros. */
const countingNumber = /^[1-9]\d*$/u;

/** True if the level's numbers are 1, 2, 3… in order; answers that are words are ignored. */
export function isNumberedInOrder(level: readonly { readonly option: string }[]): boolean {
  return level
    .map(({ option }) => option)
    .filter((option) => countingNumber.test(option))
    .every((option, index) => option === String(index + 1));
}

/**
 * The answers of a level after a move, so that a menu never lists 2, 1, 3. If the level was numbered in order, it is
 * numbered again; else its numbers (1, 5, 9) are only sorted. Words stay at their option.
 */
export function renumber(options: readonly string[], wasNumbered: boolean): string[] {
  const numbers = options
    .filter((option) => countingNumber.test(option))
    .toSorted((one, other) => Number(one) - Number(other));
  let next = 0;
  return options.map((option) => {
    if (!countingNumber.test(option)) {
      return option;
    }
    next += 1;
    return wasNumbered ? String(next) : (numbers[next - 1] ?? option);
  });
}

export type TreeNode<T> = T & { readonly children: readonly TreeNode<T>[] };

/** The options as a tree. `all` must be in the order of positions. */
export function treeOf<T extends TreeItem>(all: readonly T[]): TreeNode<T>[] {
  const byParent = Map.groupBy(all, ({ parent_id: parent }) => parent);
  const below = (parentId: number | null): TreeNode<T>[] =>
    (byParent.get(parentId) ?? []).map((option) => ({ ...option, children: below(option.id) }));
  return below(null);
}
