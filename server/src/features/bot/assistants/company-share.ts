const firstLookMs = 1_000;
const perWaitingMs = 100;
const lastLookMs = 10_000;

/** Places that one company may take at a time, of those that companies share in this process. */
export function createCompanyShare(most: number) {
  const companies = new Map<number, { taken: number; turnedAway: number }>();
  return {
    /** Takes a place; call what it returns to give it back. Undefined where the company has no more. */
    enter(companyId: number): (() => void) | undefined {
      const company = companies.get(companyId) ?? { taken: 0, turnedAway: 0 };
      if (company.taken >= most) {
        company.turnedAway += 1;
        return undefined;
      }
      company.taken += 1;
      companies.set(companyId, company);
      return () => {
        company.taken -= 1;
        company.turnedAway = 0;
        if (company.taken === 0) {
          companies.delete(companyId);
        }
      };
    },
    /** When (ms) to look again who found no place: later, the more were turned away since one was given back. */
    lookAgainMs(companyId: number): number {
      const turnedAway = companies.get(companyId)?.turnedAway ?? 0;
      return Math.min(lastLookMs, firstLookMs + perWaitingMs * turnedAway);
    },
  };
}
