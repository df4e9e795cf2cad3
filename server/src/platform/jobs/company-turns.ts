const firstLookMs = 1_000;
const perWaitingMs = 100;
const lastLookMs = 10_000;

/**
 * At most `most` runs at a time for each company in this process, so that one whose systems do not answer does not hold all slots of
 * jobs of everybody. One more is `busy`.
 */
export function createCompanyTurns(most: number) {
  const companies = new Map<number, { taken: number; turnedAway: number }>();
  return {
    async run<T>(companyId: number, work: () => Promise<T>): Promise<T | "busy"> {
      const company = companies.get(companyId) ?? { taken: 0, turnedAway: 0 };
      if (company.taken >= most) {
        company.turnedAway += 1;
        return "busy";
      }
      company.taken += 1;
      companies.set(companyId, company);
      try {
        return await work();
      } finally {
        company.taken -= 1;
        company.turnedAway = 0;
        if (company.taken === 0) {
          companies.delete(companyId);
        }
      }
    },
    /** When (ms) to look again for a turn: later, the more were turned away since one ended. */
    lookAgainMs(companyId: number): number {
      const turnedAway = companies.get(companyId)?.turnedAway ?? 0;
      return Math.min(lastLookMs, firstLookMs + perWaitingMs * turnedAway);
    },
  };
}
