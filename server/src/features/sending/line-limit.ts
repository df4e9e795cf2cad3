/** Until when WhatsApp keeps a line from starting conversations; null: it does not. */
export interface LineLimitTimes {
  /** It has locked the account. */
  readonly lockedUntil: Date | null;
  /** The allowance of new conversations is used up. */
  readonly cappedUntil: Date | null;
}

/** What holds the line now: of the two what ends later; null: nothing. */
export function limitAt(
  { lockedUntil, cappedUntil }: LineLimitTimes,
  now: Date,
): { readonly reason: "limited" | "capped"; readonly until: Date } | null {
  const limits = [
    ...(lockedUntil && lockedUntil > now ? [{ reason: "limited", until: lockedUntil } as const] : []),
    ...(cappedUntil && cappedUntil > now ? [{ reason: "capped", until: cappedUntil } as const] : []),
  ];
  return limits.toSorted((a, b) => b.until.getTime() - a.until.getTime())[0] ?? null;
}
