import type { ResponseOf, campaigns } from "@prosa/contract";
import type { TimelineStep } from "./report.queries.ts";

type Timeline = ResponseOf<typeof campaigns.timeline>;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** Steps that people read on an axis, in seconds. */
const niceSteps = [
  ...[minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute],
  ...[hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day],
];
const maxSteps = 60;

/** The shortest step by which a time of so many seconds has at most 60 steps. */
export function stepFor(seconds: number): number {
  const fits = (step: number) => Math.floor(seconds / step) + 1 <= maxSteps;
  return niceSteps.find(fits) ?? Math.ceil((seconds + 1) / maxSteps / day) * day;
}

/** All steps from the start to the last event, those without anything too. */
export function timelineOf(startedAt: Date, stepSeconds: number, found: readonly TimelineStep[]): Timeline {
  const byStep = new Map<number, Omit<TimelineStep, "step">>();
  for (const { step, ...happened } of found) {
    // What a phone with a wrong clock says of a time before the start belongs to the start.
    const at = Math.max(0, step);
    byStep.set(at, add(byStep.get(at) ?? nothing, happened));
  }
  const count = Math.max(0, ...[...byStep.keys()].map((step) => step + 1));
  return {
    stepSeconds,
    steps: Array.from({ length: count }, (_, step) => ({
      at: new Date(startedAt.getTime() + step * stepSeconds * 1_000).toISOString(),
      ...(byStep.get(step) ?? nothing),
    })),
  };
}

const nothing = { sent: 0, delivered: 0, read: 0, answered: 0 };

function add(one: Omit<TimelineStep, "step">, other: Omit<TimelineStep, "step">): Omit<TimelineStep, "step"> {
  return {
    sent: one.sent + other.sent,
    delivered: one.delivered + other.delivered,
    read: one.read + other.read,
    answered: one.answered + other.answered,
  };
}
