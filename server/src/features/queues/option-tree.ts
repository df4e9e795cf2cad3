/** The shape of a queue's options: who is below whom, in which order, and what may be typed. Pure. */
import { botCommands } from "@prosa/contract";

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

/** The ids of a level in their new order: `id` at `position`, or last; elsewhere they keep their order. */
export function placed(level: readonly number[], id: number, position = Number.POSITIVE_INFINITY): number[] {
  const others = level.filter((other) => other !== id);
  const at = Math.min(position, others.length);
  return [...others.slice(0, at), id, ...others.slice(at)];
}

/** The lowest number that nobody beside it has. */
export function freeOption(taken: readonly string[]): string {
  let number = 1;
  while (taken.includes(String(number))) {
    number += 1;
  }
  return String(number);
}

/** May this be typed for an option beside those? Customers' texts are compared without case. */
export function isFree(option: string, taken: readonly string[]): boolean {
  const text = option.toLowerCase();
  return ![...Object.values(botCommands), ...taken.map((other) => other.toLowerCase())].includes(text);
}

export type TreeNode<T> = T & { readonly children: readonly TreeNode<T>[] };

/** The options as a tree. `all` comes in the order of positions. */
export function treeOf<T extends Placed>(all: readonly T[]): TreeNode<T>[] {
  const byParent = Map.groupBy(all, ({ parent_id: parent }) => parent);
  const below = (parentId: number | null): TreeNode<T>[] =>
    (byParent.get(parentId) ?? []).map((option) => ({ ...option, children: below(option.id) }));
  return below(null);
}
