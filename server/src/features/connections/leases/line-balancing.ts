import type { LineWish } from "./leases.queries.ts";
import { isToBeOpened } from "./desired-state.ts";

/** How the lines are spread over the processes that run lines. */
export interface Shares {
  /** Lines that this process runs. */
  readonly mine: number;
  /** What each would have, rounded up. */
  readonly fair: number;
  /** What the process with the fewest lines has. */
  readonly least: number;
  /** Nobody has more; of several that have as many it is the first by name. */
  readonly isLargest: boolean;
}

/** The simulator's network lives in one process: its lines stay where they are. */
export function isShared({ provider }: Pick<LineWish, "provider">): boolean {
  return provider !== "simulator";
}

/** Counts the leases of this process and of its neighbours; what is free or held by one that leaves counts for all. */
export function sharesOf(me: string, neighbours: readonly string[], wishes: readonly LineWish[]): Shares {
  const held = new Map([me, ...neighbours].map((name) => [name, 0]));
  let all = 0;
  for (const wish of wishes.filter(isShared)) {
    if (!wish.isLeased && !isToBeOpened(wish)) {
      continue;
    }
    all += 1;
    const count = wish.isLeased && wish.owner !== null ? held.get(wish.owner) : undefined;
    if (count !== undefined && wish.owner !== null) {
      held.set(wish.owner, count + 1);
    }
  }
  const mine = held.get(me) ?? 0;
  return {
    mine,
    fair: Math.ceil(all / held.size),
    least: Math.min(...held.values()),
    isLargest: [...held].every(([name, count]) => name === me || count < mine || (count === mine && me < name)),
  };
}

/**
 * Which of the free lines are this process's to open: as many as its share has room for, and those that nobody else
 * opened although they were `overdue`.
 */
export function takenHere(
  free: readonly LineWish[],
  { mine, fair }: Shares,
  isLeftAlone: (id: number) => boolean,
  isOverdue: (id: number) => boolean,
): LineWish[] {
  let room = Math.max(0, fair - mine);
  return free.filter((wish) => {
    if (!isShared(wish) || isOverdue(wish.id)) {
      return true;
    }
    if (room === 0 || isLeftAlone(wish.id)) {
      return false;
    }
    room -= 1;
    return true;
  });
}

/** Is a line to move from here to the process with the fewest? A difference of one is even: there it ends. */
export function hasSurplus({ mine, least, isLargest }: Shares): boolean {
  return isLargest && mine - least >= 2;
}
