/** Which times does "send later" offer with one click? Pure. */
import { wallClockOf } from "@prosa/contract/zoned-time";
import { addDays, nextWeekday } from "./days.ts";
import { momentAfter, type Clock } from "./parse.ts";

export interface Preset {
  readonly key: "inAnHour" | "tonight" | "tomorrow" | "monday";
  /** Wall-clock time in the company's zone. */
  readonly value: string;
}

const monday = 1;

/** In an hour; today at 18:00 while that is later; tomorrow and next Monday at 9:00, which on a Sunday are the same. */
export function presetsAt(clock: Clock): readonly Preset[] {
  const today = wallClockOf(clock.now, clock.timeZone).slice(0, 10);
  const inAnHour = momentAfter(60, clock);
  const [tonight, tomorrow] = [`${today}T18:00`, `${addDays(today, 1)}T09:00`];
  const nextMonday = `${nextWeekday(today, monday)}T09:00`;
  return [
    { key: "inAnHour", value: inAnHour },
    ...(tonight > inAnHour ? [{ key: "tonight", value: tonight } as const] : []),
    { key: "tomorrow", value: tomorrow },
    ...(nextMonday === tomorrow ? [] : [{ key: "monday", value: nextMonday } as const]),
  ];
}

const stepMinutes = 15;

/** The times of a day, every quarter of an hour. */
export const timesOfDay: readonly string[] = Array.from({ length: (24 * 60) / stepMinutes }, (_, index) => {
  const minutes = index * stepMinutes;
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
});

/** Those that go on as typed: "9" finds 09:00 and its quarters, "9:3" finds 09:30, "1" also ten to nineteen o'clock. Pure. */
export function timesLike(text: string): readonly string[] {
  const [, hour = "", minutes = ""] = /^(\d{1,2})(?:[h:.]? ?(\d{0,2}))?\D*$/u.exec(text.trim()) ?? [];
  const isLike = (time: string) =>
    (time.startsWith(hour) || time.startsWith(`0${hour}:`)) && time.slice(3).startsWith(minutes);
  return text.trim() === "" ? timesOfDay : hour === "" ? [] : timesOfDay.filter(isLike);
}
