/** Conversion between wall-clock time in a time zone and instants. Pure. */

const dayMs = 86_400_000;

/**
 * The instant of a wall-clock time (`2026-11-18T22:30`, seconds allowed) in a zone. Undefined for an invalid time. A time
 * that daylight saving skips is as much later as the clocks are put on; of one that comes twice it is the first.
 */
export function instantOf(wallClock: string, timeZone: string): Date | undefined {
  const asUtc = Date.parse(`${wallClock}Z`);
  if (!/^\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d(:\d\d(\.\d+)?)?$/u.test(wallClock) || Number.isNaN(asUtc)) {
    return undefined;
  }
  const [before, after] = [offsetAt(asUtc - dayMs, timeZone), offsetAt(asUtc + dayMs, timeZone)];
  const holds = (offset: number) => offsetAt(asUtc - offset, timeZone) === offset;
  return new Date(asUtc - (!holds(before) && holds(after) ? after : before));
}

/** The wall-clock time of an instant in a zone: `2026-11-18T22:30`. */
export function wallClockOf(instant: Date, timeZone: string): string {
  const ms = instant.getTime();
  return new Date(ms + offsetAt(ms, timeZone)).toISOString().slice(0, 16);
}

/** Making one takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) {
    return known;
  }
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(timeZone, made);
  return made;
}

/** Ms that the zone is ahead of UTC at an instant. */
function offsetAt(ms: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(ms);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return shown - Math.floor(ms / 1000) * 1000;
}
