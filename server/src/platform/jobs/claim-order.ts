import { jobPriorities, priorityRank } from "../job-priority.ts";
import type { JobPriority } from "../job-priority.ts";

/** Each less urgent priority gets one of this many jobs, however many urgent ones wait. */
const SHARE = 8;

const lessUrgent = jobPriorities.slice(1);

/** Keeps which priorities have not had their share of the jobs that a runner started. */
export interface Shares {
  /** Priorities that go first among the next `limit` jobs, the longest neglected first. */
  due(limit: number): readonly JobPriority[];
  count(started: JobPriority): void;
}

export function createShares(): Shares {
  // Jobs started since the last one of the priority.
  const since = new Map(lessUrgent.map((priority) => [priority, 0]));
  return {
    due: (limit) =>
      lessUrgent
        .filter((priority) => sinceOf(priority) + limit >= SHARE)
        .toSorted((one, other) => sinceOf(other) - sinceOf(one)),
    count(started) {
      for (const priority of lessUrgent) {
        since.set(priority, priority === started ? 0 : sinceOf(priority) + 1);
      }
    },
  };

  function sinceOf(priority: JobPriority): number {
    return since.get(priority) ?? 0;
  }
}

/** How many more jobs of each rank or a less urgent one a runner may start. */
export type Allowance = readonly number[];

/**
 * Each priority leaves one slot of a process more to the urgent ones: long jobs must not make a person wait until one of them
 * ends. Each has at least one slot, however few there are.
 */
export function allowanceOf(concurrency: number, running: readonly JobPriority[]): Allowance {
  const left = jobPriorities.map((_, rank) => {
    const busy = running.filter((priority) => priorityRank(priority) >= rank).length;
    return Math.max(0, Math.max(1, concurrency - rank) - busy);
  });
  return left.map((_, rank) => Math.min(...left.slice(0, rank + 1)));
}

/** With an affinity or without. */
export type JobKind = "bound" | "free";

/** A part of a claim: jobs of one priority, bound to lines or free, in the order of their times. */
export interface ClaimStep {
  readonly priority: number;
  readonly isBound: boolean;
  /** Jobs that an earlier step of the claim has picked. */
  readonly skipped: number;
  readonly most: number;
}

/**
 * The steps of a claim of `limit` jobs: one job of each priority whose share is due, then all by priority. Within a priority
 * the `kinds` follow one another.
 */
export function claimSteps(claim: {
  readonly limit: number;
  readonly shares: readonly JobPriority[];
  readonly allowance: Allowance;
  readonly kinds: readonly JobKind[];
}): ClaimStep[] {
  const { limit, allowance, kinds } = claim;
  const startable = jobPriorities.filter((_, rank) => (allowance[rank] ?? 0) > 0);
  const shares = claim.shares.filter((priority) => startable.includes(priority));
  const stepsOf = (priority: JobPriority, skipped: number, most: number): ClaimStep[] =>
    kinds.map((kind) => ({ priority: priorityRank(priority), isBound: kind === "bound", skipped, most }));
  return [
    ...shares.flatMap((priority) => stepsOf(priority, 0, 1)),
    ...startable.flatMap((priority) => stepsOf(priority, shares.includes(priority) ? 1 : 0, limit)),
  ];
}
