import type { Figures, Point } from "./dashboard.api.ts";

/**
 * How many of the finished conversations belong to nobody in the table: those that no attendant took, and those of attendants who were
 * deleted or left the queue since. With them the rows add up to the tile (D-02, D-03). Pure.
 */
export function finishedByOthers({ counters, attendants }: Pick<Figures, "counters" | "attendants">): number {
  return Math.max(
    0,
    attendants.reduce((rest, { tickets }) => rest - tickets, counters.supportFinished),
  );
}

/** The points of the chart per attendant, with those conversations last under `label`; undefined while either is loading. Pure. */
export function withOthers(
  perUser: readonly Point[] | undefined,
  figures: Figures | undefined,
  label: string,
): readonly Point[] | undefined {
  if (!perUser || !figures) {
    return undefined;
  }
  const total = finishedByOthers(figures);
  return total === 0 ? perUser : [...perUser, { label, total }];
}
