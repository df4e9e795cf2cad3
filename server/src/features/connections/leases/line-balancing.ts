import type { DesiredLine } from "./leases.queries.ts";
import { shouldConnect } from "./desired-state.ts";

/** How the lines are spread over the processes that run lines. */
export interface LineBalance {
  /** Lines that this process runs. */
  readonly own: number;
  /** What each would have, rounded up. */
  readonly fairShare: number;
  /** What the process with the fewest lines has. */
  readonly smallest: number;
  /** Nobody has more; of several that have as many it is the first by name. */
  readonly isLargest: boolean;
}

/** The simulator's network lives in one process: its lines stay where they are. */
export function isMovable({ provider }: Pick<DesiredLine, "provider">): boolean {
  return provider !== "simulator";
}

/** Counts the leases of this process and of its neighbours; what is free or held by one that leaves counts for all. */
export function balanceOf(me: string, neighbours: readonly string[], wishes: readonly DesiredLine[]): LineBalance {
  const counts = new Map([me, ...neighbours].map((name) => [name, 0]));
  let total = 0;
  for (const wish of wishes.filter(isMovable)) {
    if (!wish.isLeased && !shouldConnect(wish)) {
      continue;
    }
    total += 1;
    const count = wish.isLeased && wish.owner !== null ? counts.get(wish.owner) : undefined;
    if (count !== undefined && wish.owner !== null) {
      counts.set(wish.owner, count + 1);
    }
  }
  const mine = counts.get(me) ?? 0;
  return {
    own: mine,
    fairShare: Math.ceil(total / counts.size),
    smallest: Math.min(...counts.values()),
    isLargest: [...counts].every(([name, count]) => name === me || count < mine || (count === mine && me < name)),
  };
}

/**
 * Which of the free lines are this process's to open: as many as its share has room for, and those that nobody else
 * opened although they were `overdue`.
 */
export function linesToOpen(
  free: readonly DesiredLine[],
  { own: mine, fairShare: fair }: LineBalance,
  isExcluded: (id: number) => boolean,
  isOverdue: (id: number) => boolean,
): DesiredLine[] {
  let capacity = Math.max(0, fair - mine);
  return free.filter((wish) => {
    if (!isMovable(wish) || isOverdue(wish.id)) {
      return true;
    }
    if (capacity === 0 || isExcluded(wish.id)) {
      return false;
    }
    capacity -= 1;
    return true;
  });
}

/** Is a line to move from here to the process with the fewest? A difference of one is even: there it ends. */
export function hasSurplus({ own: mine, smallest: least, isLargest }: LineBalance): boolean {
  return isLargest && mine - least >= 2;
}
