/**
 * At most `most` runs at a time for each company in this process, so that one whose systems do not answer does not hold all slots of
 * jobs of everybody. One more is `busy`.
 */
export function createCompanyTurns(most: number) {
  const underWay = new Map<number, number>();
  return {
    async run<T>(companyId: number, work: () => Promise<T>): Promise<T | "busy"> {
      const count = underWay.get(companyId) ?? 0;
      if (count >= most) {
        return "busy";
      }
      underWay.set(companyId, count + 1);
      try {
        return await work();
      } finally {
        const left = (underWay.get(companyId) ?? 1) - 1;
        if (left === 0) {
          underWay.delete(companyId);
        } else {
          underWay.set(companyId, left);
        }
      }
    },
  };
}
