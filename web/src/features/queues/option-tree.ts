/** How does the editor show the tree of options, and where does a moved option go? Pure. */
import type { QueueOption } from "@prosa/contract/queue-options";

export interface TreeRow {
  readonly option: QueueOption;
  /** 1 for the first level. */
  readonly depth: number;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
  /** Its position among its siblings, from 1, and the number of siblings with it. */
  readonly place: number;
  readonly siblings: number;
}

/** Where an option is moved: its parent (null is the first level) and its index among the children there. */
export interface MoveTarget {
  readonly parentId: number | null;
  readonly position: number;
}

export type Direction = "up" | "down" | "in" | "out";
/** Where an option is dropped relative to a row. */
export type DropPosition = "before" | "inside" | "after";

/** The children of a parent, in order. */
export function childrenOf(options: readonly QueueOption[], parentId: number | null): QueueOption[] {
  return options
    .filter((option) => option.parentId === parentId)
    .toSorted((one, other) => one.position - other.position || one.id - other.id);
}

/** The rows from top to bottom, without the descendants of collapsed options. */
export function visibleRows(options: readonly QueueOption[], closed: ReadonlySet<number>): TreeRow[] {
  const below = (parentId: number | null, depth: number): TreeRow[] => {
    const level = childrenOf(options, parentId);
    return level.flatMap((option, index) => {
      const hasChildren = options.some((other) => other.parentId === option.id);
      const isOpen = hasChildren && !closed.has(option.id);
      const row = { option, depth, hasChildren, isOpen, place: index + 1, siblings: level.length };
      return isOpen ? [row, ...below(option.id, depth + 1)] : [row];
    });
  };
  return below(null, 1);
}

/** Is `id` the option `ancestorId` or one of its descendants? */
export function isWithin(options: readonly QueueOption[], id: number, ancestorId: number): boolean {
  return pathTo(options, id).includes(ancestorId);
}

/** Collapsed options after an option and those above it were opened, so that what is below it is seen. */
export function withOpen(
  closed: ReadonlySet<number>,
  options: readonly QueueOption[],
  id: number | null,
): ReadonlySet<number> {
  const path = pathTo(options, id);
  return new Set([...closed].filter((each) => !path.includes(each)));
}

/** An option and those above it. */
function pathTo(options: readonly QueueOption[], id: number | null): number[] {
  const parents = new Map(options.map((option) => [option.id, option.parentId]));
  const path: number[] = [];
  for (let at = id; at !== null; at = parents.get(at) ?? null) {
    path.push(at);
  }
  return path;
}

/** The target of one step in a direction; undefined if the option cannot move that way. */
export function stepTarget(options: readonly QueueOption[], id: number, direction: Direction): MoveTarget | undefined {
  const option = options.find((each) => each.id === id);
  if (!option) {
    return undefined;
  }
  const { parentId } = option;
  const level = childrenOf(options, parentId);
  const at = level.findIndex((each) => each.id === id);
  switch (direction) {
    case "up":
      return at > 0 ? { parentId, position: at - 1 } : undefined;
    case "down":
      return at < level.length - 1 ? { parentId, position: at + 1 } : undefined;
    case "in": {
      const above = level[at - 1];
      return above && { parentId: above.id, position: childrenOf(options, above.id).length };
    }
    case "out": {
      const parent = options.find((each) => each.id === parentId);
      if (!parent) {
        return undefined;
      }
      const place = childrenOf(options, parent.parentId).findIndex((each) => each.id === parent.id);
      return { parentId: parent.parentId, position: place + 1 };
    }
  }
}

/** Where a dragged option lands; undefined over itself or one of its descendants. */
export function dropTarget(
  options: readonly QueueOption[],
  id: number,
  overId: number,
  place: DropPosition,
): MoveTarget | undefined {
  const over = options.find((each) => each.id === overId);
  if (!over || isWithin(options, overId, id)) {
    return undefined;
  }
  if (place === "inside") {
    return { parentId: overId, position: childrenOf(options, overId).filter((each) => each.id !== id).length };
  }
  const others = childrenOf(options, over.parentId).filter((each) => each.id !== id);
  const at = others.findIndex((each) => each.id === overId);
  return { parentId: over.parentId, position: place === "before" ? at : at + 1 };
}

/** Options that may become the parent: all but the option itself and its descendants, in the order of the tree. */
export function possibleParents(options: readonly QueueOption[], id: number): TreeRow[] {
  return visibleRows(options, new Set()).filter(({ option }) => !isWithin(options, option.id, id));
}

/** The number of descendants. */
export function countBelow(options: readonly QueueOption[], id: number): number {
  return options.filter((option) => option.id !== id && isWithin(options, option.id, id)).length;
}
