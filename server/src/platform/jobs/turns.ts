import { RetryLater } from "./job.ts";

const firstLookMs = 1_000;
const perWaitingMs = 100;
const lastLookMs = 10_000;
/** Jobs turned away that an owner's turns remember, and for how long: those that still wait look again before. */
const maxRemembered = 1_000;
const rememberedMs = 2 * lastLookMs;

interface Owner {
  taken: number;
  turnedAway: number;
  /** When (ms) each was turned away. */
  readonly jobs: Map<number, number>;
}

/**
 * At most `most` runs at a time for each owner, a company or an endpoint of one, in this process, so that one whose systems do not answer
 * does not hold all slots of jobs of everybody. One more is `busy`: it looks again after `lookAgainMs`, or sooner where who ends a turn
 * hastens one of the `turnedAway`.
 */
export function createTurns(most: number) {
  const owners = new Map<number, Owner>();
  const turns = {
    /** `jobId`: remembered while it is turned away. */
    async run<T>(ownerId: number, work: () => Promise<T>, jobId?: number): Promise<T | "busy"> {
      const owner = owners.get(ownerId) ?? { taken: 0, turnedAway: 0, jobs: new Map<number, number>() };
      if (owner.taken >= most) {
        owner.turnedAway += 1;
        if (jobId !== undefined && owner.jobs.size < maxRemembered) {
          owner.jobs.set(jobId, performance.now());
        }
        return "busy";
      }
      if (jobId !== undefined) {
        owner.jobs.delete(jobId);
      }
      owner.taken += 1;
      owners.set(ownerId, owner);
      try {
        return await work();
      } finally {
        owner.taken -= 1;
        owner.turnedAway = 0;
        if (owner.taken === 0 && owner.jobs.size === 0) {
          owners.delete(ownerId);
        }
      }
    },
    /** As `run`, for a job that only waits for its turn: throws RetryLater for this reason where there is none. */
    async runOrRetry(ownerId: number, work: () => Promise<void>, reason: string): Promise<void> {
      if ((await turns.run(ownerId, work)) === "busy") {
        throw new RetryLater(turns.lookAgainMs(ownerId), reason);
      }
    },
    /** When (ms) to look again for a turn: later, the more were turned away since one ended. */
    lookAgainMs(ownerId: number): number {
      const turnedAway = owners.get(ownerId)?.turnedAway ?? 0;
      return Math.min(lastLookMs, firstLookMs + perWaitingMs * turnedAway);
    },
    /** The jobs that were turned away and have not come again. */
    turnedAway(ownerId: number): number[] {
      const jobs = owners.get(ownerId)?.jobs ?? new Map<number, number>();
      const since = performance.now() - rememberedMs;
      jobs.forEach((at, id) => at < since && jobs.delete(id));
      return [...jobs.keys()];
    },
  };
  return turns;
}
