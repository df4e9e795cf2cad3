/** The hours in which campaigns are sent. Pure. */
import { weekdaysEn } from "./queues.ts";
import type { SendingHours } from "./sending.ts";
import { instantOf, wallClockOf } from "./zoned-time.ts";

/** When the work hours begin next, in the company's time zone; null: they have begun. */
export function nextOpening({ isOn, weekdays, start, end }: SendingHours, now: Date, timeZone: string): Date | null {
  if (!isOn) {
    return null;
  }
  const [today = "", clock = ""] = wallClockOf(now, timeZone).split("T");
  if (weekdays.includes(weekdayOf(today)) && clock >= start && clock < end) {
    return null;
  }
  for (let ahead = 0; ahead <= 7; ahead += 1) {
    const day = dayAfter(today, ahead);
    const opening = instantOf(`${day}T${start}`, timeZone);
    if (weekdays.includes(weekdayOf(day)) && opening && opening > now) {
      return opening;
    }
  }
  return null;
}

/** When the work hours that hold at a moment end; null: without hours, never. */
export function closingOf({ isOn, end }: SendingHours, now: Date, timeZone: string): Date | null {
  return isOn ? (instantOf(`${wallClockOf(now, timeZone).slice(0, 10)}T${end}`, timeZone) ?? null) : null;
}

/** The first moment of the next day in the time zone. */
export function endOfDay(now: Date, timeZone: string): Date {
  const tomorrow = dayAfter(wallClockOf(now, timeZone).slice(0, 10), 1);
  return instantOf(`${tomorrow}T00:00`, timeZone) ?? new Date(now.getTime() + 86_400_000);
}

/** The day `days` after a day, both as yyyy-MM-dd. */
function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

function weekdayOf(day: string): (typeof weekdaysEn)[number] {
  // Sunday is 0 in JavaScript; the list begins with Monday.
  return weekdaysEn[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] ?? "monday";
}
