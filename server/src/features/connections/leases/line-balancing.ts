import { shouldConnect } from "./desired-state.ts";
import type { DesiredLine } from "./leases.queries.ts";

/** How the lines are spread over the processes that run lines. */
export interface LineBalance {
  /** Lines that this process runs. */
  readonly own: number;
  /** Lines per process if all had the same number, rounded up. */
  readonly fairShare: number;
  /** Lines of the process with the fewest. */
  readonly smallest: number;
  /** No process has more lines; of several with as many, this one is the first by name. */
  readonly isLargest: boolean;
}

/** Simulator lines cannot be handed over: their network lives in one process. */
export function isMovable({ provider }: Pick<DesiredLine, "provider">): boolean {
  return provider !== "simulator";
}

/**
 * Counts the leases of this process and of its neighbours. Free lines, and those of a process that shuts down, count
 * into the fair share of all.
 */
export function balanceOf(me: string, neighbours: readonly string[], lines: readonly DesiredLine[]): LineBalance {
  const counts = new Map([me, ...neighbours].map((name) => [name, 0]));
  let total = 0;
  for (const line of lines.filter(isMovable)) {
    if (!line.isLeased && !shouldConnect(line)) {
      continue;
    }
    total += 1;
    const count = line.isLeased && line.owner !== null ? counts.get(line.owner) : undefined;
    if (count !== undefined && line.owner !== null) {
      counts.set(line.owner, count + 1);
    }
  }
  const own = counts.get(me) ?? 0;
  return {
    own,
    fairShare: Math.ceil(total / counts.size),
    smallest: Math.min(...counts.values()),
    isLargest: [...counts].every(([name, count]) => name === me || count < own || (count === own && me < name)),
  };
}

/**
 * The free lines that this process opens: as many as its fair share has capacity for, and those that no process opened
 * in time (`isOverdue`).
 */
export function linesToOpen(
  free: readonly DesiredLine[],
  { own, fairShare }: LineBalance,
  isExcluded: (id: number) => boolean,
  isOverdue: (id: number) => boolean,
): DesiredLine[] {
  let capacity = Math.max(0, fairShare - own);
  return free.filter((line) => {
    if (!isMovable(line) || isOverdue(line.id)) {
      return true;
    }
    if (capacity === 0 || isExcluded(line.id)) {
      return false;
    }
    capacity -= 1;
    return true;
  });
}

/** Should this process hand a line over to the one with the fewest? A difference of one line is even. */
export function hasSurplus({ own, smallest, isLargest }: LineBalance): boolean {
  return isLargest && own - smallest >= 2;
}
