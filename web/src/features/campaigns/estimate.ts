/** How long does a campaign take at this pace? Without the pauses that limits and hours make. Pure. */

/** Seconds and numbers of contacts, as the settings have them. */
export interface Pace {
  readonly messageInterval: number;
  readonly longerIntervalAfter: number;
  readonly greaterInterval: number;
}

/** Not faster by one line, whatever the settings say (behaviour 7), in seconds. */
const FLOOR = 1;

/** Seconds from the first contact to the last, who are dealt evenly to the lines; `minGap`: the company's least gap, in seconds. */
export function sendingSeconds(contacts: number, lines: number, pace: Pace, minGap = FLOOR): number {
  const gaps = Math.max(0, Math.ceil(contacts / Math.max(1, lines)) - 1);
  const longer = pace.longerIntervalAfter === 0 ? 0 : Math.floor(gaps / pace.longerIntervalAfter);
  return gaps * Math.max(FLOOR, minGap, pace.messageInterval) + longer * pace.greaterInterval;
}

/** A duration as people say it: minutes of hours in fives, of days only the hours. */
export type Duration =
  | { readonly unit: "moment" }
  | { readonly unit: "minutes"; readonly minutes: number }
  | { readonly unit: "hours"; readonly hours: number; readonly minutes: number }
  | { readonly unit: "days"; readonly days: number; readonly hours: number };

const DAY_MINUTES = 24 * 60;

export function durationOf(seconds: number): Duration {
  const exact = Math.round(seconds / 60);
  if (exact < 1) {
    return { unit: "moment" };
  }
  if (exact < 60) {
    return { unit: "minutes", minutes: exact };
  }
  const minutes = 5 * Math.round(exact / 5);
  if (minutes < DAY_MINUTES) {
    return { unit: "hours", hours: Math.floor(minutes / 60), minutes: minutes % 60 };
  }
  const hours = Math.round(exact / 60);
  return { unit: "days", days: Math.floor(hours / 24), hours: hours % 24 };
}
