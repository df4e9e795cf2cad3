/** Places that one company may take at a time, of those that companies share in this process. */
export function createCompanyShare(most: number) {
  const taken = new Map<number, number>();
  return {
    /** Takes a place; call what it returns to give it back. Undefined where the company has no more. */
    enter(companyId: number): (() => void) | undefined {
      const before = taken.get(companyId) ?? 0;
      if (before >= most) {
        return undefined;
      }
      taken.set(companyId, before + 1);
      return () => {
        const left = (taken.get(companyId) ?? 1) - 1;
        if (left > 0) {
          taken.set(companyId, left);
        } else {
          taken.delete(companyId);
        }
      };
    },
  };
}
