const firstLookMs = 1_000;
const perWaitingMs = 100;
const lastLookMs = 10_000;
/** Jobs turned away that a company's turns remember, and for how long: those that still wait look again before. */
const maxRemembered = 1_000;
const rememberedMs = 2 * lastLookMs;

interface Company {
  taken: number;
  turnedAway: number;
  /** When (ms) each was turned away. */
  readonly jobs: Map<number, number>;
}

/**
 * At most `most` runs at a time for each company in this process, so that one whose systems do not answer does not hold all slots of
 * jobs of everybody. One more is `busy`: it looks again after `lookAgainMs`, or sooner where who ends a turn hastens one of the
 * `turnedAway`.
 */
export function createCompanyTurns(most: number) {
  const companies = new Map<number, Company>();
  return {
    /** `jobId`: remembered while it is turned away. */
    async run<T>(companyId: number, work: () => Promise<T>, jobId?: number): Promise<T | "busy"> {
      const company = companies.get(companyId) ?? { taken: 0, turnedAway: 0, jobs: new Map<number, number>() };
      if (company.taken >= most) {
        company.turnedAway += 1;
        if (jobId !== undefined && company.jobs.size < maxRemembered) {
          company.jobs.set(jobId, performance.now());
        }
        return "busy";
      }
      if (jobId !== undefined) {
        company.jobs.delete(jobId);
      }
      company.taken += 1;
      companies.set(companyId, company);
      try {
        return await work();
      } finally {
        company.taken -= 1;
        company.turnedAway = 0;
        if (company.taken === 0 && company.jobs.size === 0) {
          companies.delete(companyId);
        }
      }
    },
    /** When (ms) to look again for a turn: later, the more were turned away since one ended. */
    lookAgainMs(companyId: number): number {
      const turnedAway = companies.get(companyId)?.turnedAway ?? 0;
      return Math.min(lastLookMs, firstLookMs + perWaitingMs * turnedAway);
    },
    /** The jobs that were turned away and have not come again. */
    turnedAway(companyId: number): number[] {
      const jobs = companies.get(companyId)?.jobs ?? new Map<number, number>();
      const since = performance.now() - rememberedMs;
      jobs.forEach((at, id) => at < since && jobs.delete(id));
      return [...jobs.keys()];
    },
  };
}
