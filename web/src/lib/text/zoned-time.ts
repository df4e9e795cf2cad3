/** Conversion between wall-clock time in a time zone and instants. Pure. */

/** The instant of a wall-clock time (`2026-11-18T22:30`) in a zone. Undefined for an invalid time. */
export function instantOf(wallClock: string, timeZone: string): Date | undefined {
  const asUtc = Date.parse(`${wallClock}:00Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/u.test(wallClock) || Number.isNaN(asUtc)) {
    return undefined;
  }
  // Take the offset at the first guess, then at the result: correct on both sides of a DST change.
  const guess = asUtc - offsetAt(asUtc, timeZone);
  return new Date(asUtc - offsetAt(guess, timeZone));
}

/** The wall-clock time of an instant in a zone: `2026-11-18T22:30`. */
export function wallClockOf(instant: Date, timeZone: string): string {
  const ms = instant.getTime();
  return new Date(ms + offsetAt(ms, timeZone)).toISOString().slice(0, 16);
}

/** Ms that the zone is ahead of UTC at an instant. */
function offsetAt(ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(ms);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return shown - Math.floor(ms / 1000) * 1000;
}
