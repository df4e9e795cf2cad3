/** The shape of a queue's options: who is below whom, in which order, and what may be typed. Pure. */
import { botCommands } from "@prosa/contract";
import { normalizeAnswer } from "@prosa/contract/menu-answers";

/** As much of an option as its place in the tree needs. */
export interface Placed {
  readonly id: number;
  readonly parent_id: number | null;
}

/** Those with one parent, in their order; null is the first level. `all` comes in the order of positions. */
export function childrenOf<T extends Placed>(all: readonly T[], parentId: number | null): T[] {
  return all.filter(({ parent_id: parent }) => parent === parentId);
}

/** Is `id` this option, or below it? Then the option cannot move there. */
export function isWithin(all: readonly Placed[], id: number, ancestorId: number): boolean {
  const parents = new Map(all.map((option) => [option.id, option.parent_id]));
  for (let at: number | null = id; at !== null; at = parents.get(at) ?? null) {
    if (at === ancestorId) {
      return true;
    }
  }
  return false;
}

/** An option and all that is below it. */
export function subtreeOf<T extends Placed>(all: readonly T[], id: number): T[] {
  return all.filter((option) => isWithin(all, option.id, id));
}

/** A level in its new order: `id` at `position`, or last; the others keep their order. */
export function placed<T extends { readonly id: number }>(
  level: readonly T[],
  id: number,
  position = Number.POSITIVE_INFINITY,
): T[] {
  const others = level.filter((other) => other.id !== id);
  return [...others.slice(0, position), ...level.filter((each) => each.id === id), ...others.slice(position)];
}

/** The lowest number that nobody beside it has. */
export function freeOption(taken: readonly string[]): string {
  let number = 1;
  while (taken.includes(String(number))) {
    number += 1;
  }
  return String(number);
}

/** Is this the bot's own word, in every menu? */
export function isCommand(option: string): boolean {
  return Object.values<string>(botCommands).includes(normalizeAnswer(option));
}

/** May this be typed for an option beside those? Compared as what customers type is. */
export function isFree(option: string, taken: readonly string[]): boolean {
  const text = normalizeAnswer(option);
  return !isCommand(option) && !taken.some((other) => normalizeAnswer(other) === text);
}

/** What may be counted: a number that somebody would count with. */
const counted = /^[1-9]\d*$/u;

/** Were a level's numbers simply counted, 1, 2, 3…? */
export function isCounted(level: readonly { readonly option: string }[]): boolean {
  return level
    .map(({ option }) => option)
    .filter((option) => counted.test(option))
    .every((option, index) => option === String(index + 1));
}

/**
 * The answers of a level in its new order, so that a menu never says 2, 1, 3: numbers that were counted are counted again,
 * chosen ones (1, 5, 9) stay these numbers and only follow the order; words stay where they are.
 */
export function answersInOrder(options: readonly string[], wasCounted: boolean): string[] {
  const numbers = options
    .filter((option) => counted.test(option))
    .toSorted((one, other) => Number(one) - Number(other));
  let next = 0;
  return options.map((option) => {
    if (!counted.test(option)) {
      return option;
    }
    next += 1;
    return wasCounted ? String(next) : (numbers[next - 1] ?? option);
  });
}

export type TreeNode<T> = T & { readonly children: readonly TreeNode<T>[] };

/** The options as a tree. `all` comes in the order of positions. */
export function treeOf<T extends Placed>(all: readonly T[]): TreeNode<T>[] {
  const byParent = Map.groupBy(all, ({ parent_id: parent }) => parent);
  const below = (parentId: number | null): TreeNode<T>[] =>
    (byParent.get(parentId) ?? []).map((option) => ({ ...option, children: below(option.id) }));
  return below(null);
}
