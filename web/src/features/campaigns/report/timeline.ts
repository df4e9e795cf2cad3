/** The curves of a campaign's chart. Pure. */

export const series = ["sent", "delivered", "read", "answered"] as const;
export type Series = (typeof series)[number];

export interface Step extends Readonly<Record<Series, number>> {
  readonly at: string;
}

/** Sums from the beginning on: each curve rises to its figure of the report. */
export function cumulate(steps: readonly Step[]): readonly Step[] {
  const sums: Record<Series, number> = { sent: 0, delivered: 0, read: 0, answered: 0 };
  return steps.map((step) => {
    for (const name of series) {
      sums[name] += step[name];
    }
    return { ...sums, at: step.at };
  });
}
