import type { WarmUpStep } from "@prosa/contract";

/** Whole days since a line was linked to its number, 0 on the first; null: longer than is known. */
export function ageDaysOf(linkedAt: Date | null, now: Date): number | null {
  return linkedAt && Math.max(0, Math.floor((now.getTime() - linkedAt.getTime()) / 86_400_000));
}

/**
 * How many conversations a line may start on this day of its life; null: any number. `ageDays`: whole days since it was
 * linked, 0 on its first day; null: unknown, so it is no young line.
 */
export function limitAtAge(plan: readonly WarmUpStep[], ageDays: number | null): number | null {
  if (ageDays === null) {
    return null;
  }
  const passed = plan.filter(({ day }) => day <= ageDays + 1).toSorted((a, b) => b.day - a.day);
  return passed[0]?.limit ?? null;
}
