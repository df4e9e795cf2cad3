/** What day, time or moment does a typed text mean? Pure; values are wall-clock texts: `2026-11-23`, `09:30`, `2026-11-23T09:30`. */
import { instantOf, wallClockOf } from "@prosa/contract/zoned-time";
import { foldForSearch } from "#web/lib/text/foldForSearch.ts";
import { addDays, addMonths, dayFrom, nextWeekday, weekdayOf } from "./days.ts";
import { dayParts, fillers, months, namedTimes, placeOf, relativeDays, unitMinutes, weekdays } from "./words.ts";

/** Why a text is no value: the day does not exist (31/02), the time does not (24:30), or it is not understood. */
export type Problem = "noSuchDay" | "noSuchTime" | "unclear";
export type Parsed = { readonly value: string } | { readonly problem: Problem };

/** Now, where the company is. */
export interface Clock {
  readonly now: Date;
  readonly timeZone: string;
}

const unclear: Parsed = { problem: "unclear" };
/** The time of a typed day that has none. */
export const usualTime = "09:00";

/** A day: `23/11/2026`, `23/11` of this year, `9` of this month, `24 nov`, `amanhã`, `sexta`. `today` is the company's. */
export function parseDay(text: string, today: string): Parsed {
  const typed = normalize(text);
  const minutes = offsetOf(typed);
  if (minutes !== undefined) {
    return minutes % 1_440 === 0 ? { value: addDays(today, minutes / 1_440) } : unclear;
  }
  return dayOf(/^\d{1,2}$/u.test(typed) ? `dia ${typed}` : typed, { today });
}

/** A time: `9`, `9h`, `9:30`, `930`, `9pm`, `3 da tarde`, `meio-dia`. */
export function parseTime(text: string): Parsed {
  return timeOf(normalize(text));
}

/** A time at which something ends: `24:00` is the last minute of the day, which the hours of service count to its end. */
export function parseEndTime(text: string): Parsed {
  return /^24(?:[:.h]?00)?h?$/u.test(normalize(text)) ? { value: "23:59" } : parseTime(text);
}

export function isTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/u.test(text);
}

/** A day with a time, in either order; a time alone is the next such one, and a day alone takes `time`. */
export function parseMoment(text: string, clock: Clock & { readonly time?: string }): Parsed {
  const typed = normalize(text);
  if (typed === "") {
    return unclear;
  }
  const minutes = offsetOf(typed);
  if (minutes !== undefined) {
    return { value: momentAfter(minutes, clock) };
  }
  const now = wallClockOf(clock.now, clock.timeZone);
  const today = now.slice(0, 10);
  let problem: Problem = "unclear";
  for (const { dayText, timeText } of splitsOf(typed)) {
    const time = timeText === "" ? { value: clock.time ?? usualTime } : timeOf(timeText);
    const isAhead = (day: string) => "value" in time && `${day}T${time.value}` > now;
    const day =
      dayText === "" ? { value: isAhead(today) ? today : addDays(today, 1) } : dayOf(dayText, { today, isAhead });
    if ("value" in day && "value" in time) {
      return { value: shown(`${day.value}T${time.value}`, clock.timeZone) };
    }
    // Of a text whose one half is understood, the fault of the other half is told.
    if (problem === "unclear" && "value" in day !== "value" in time) {
      problem = "problem" in day ? day.problem : "problem" in time ? time.problem : problem;
    }
  }
  return { problem };
}

/** So many minutes from now. Whole days keep the time of the clock; hours are waited, also over a change of the clocks. */
export function momentAfter(minutes: number, { now, timeZone }: Clock): string {
  if (minutes % 1_440 === 0) {
    const clock = wallClockOf(now, timeZone);
    return shown(`${addDays(clock.slice(0, 10), minutes / 1_440)}T${clock.slice(11)}`, timeZone);
  }
  const at = now.getTime() + minutes * 60_000;
  const written = wallClockOf(new Date(at), timeZone);
  // A time that comes twice is read as the first one: of the second, the next that can be written is an hour later.
  const isSecond = (instantOf(written, timeZone)?.getTime() ?? at) < at - 60_000;
  return isSecond ? wallClockOf(new Date(at + 3_600_000), timeZone) : written;
}

/** A wall-clock time as the clocks will show it: one that daylight saving skips is as much later. */
function shown(wallClock: string, timeZone: string): string {
  const instant = instantOf(wallClock, timeZone);
  return instant ? wallClockOf(instant, timeZone) : wallClock;
}

/** Lower case, without accents, words parted by one space; an ISO text's T is a space. */
function normalize(text: string): string {
  return foldForSearch(text.replace(/[º°ª]/gu, ""))
    .replace(/^(\d{4}-\d\d-\d\d)t(?=\d)/u, "$1 ")
    .replace(/[\s,;]+/gu, " ")
    .trim();
}

/** Every way to read a text as a day and a time: all of it as one of them first, then the day before the time. */
function splitsOf(text: string): readonly { readonly dayText: string; readonly timeText: string }[] {
  const words = text.split(" ");
  const cuts = words
    .slice(1)
    .map((_, index) => [words.slice(0, index + 1).join(" "), words.slice(index + 1).join(" ")]);
  return [
    { dayText: "", timeText: text },
    { dayText: text, timeText: "" },
    ...cuts.map(([dayText = "", timeText = ""]) => ({ dayText, timeText })),
    ...cuts.map(([timeText = "", dayText = ""]) => ({ dayText, timeText })),
  ];
}

interface DayContext {
  readonly today: string;
  /** Of a moment: a weekday is today only if its time is ahead, and a day without its year or month is not past. */
  readonly isAhead?: (day: string) => boolean;
}

function dayOf(typed: string, context: DayContext): Parsed {
  const { today, isAhead } = context;
  const text = fillers.reduce((rest, filler) => rest.replace(filler, ""), typed);
  const relative = Object.hasOwn(relativeDays, text) ? relativeDays[text] : undefined;
  if (relative !== undefined) {
    return { value: addDays(today, relative) };
  }
  const weekday = placeOf(text, weekdays);
  if (weekday !== undefined) {
    const isToday = weekday === weekdayOf(today) && isAhead?.(today) === true;
    return { value: isToday ? today : nextWeekday(today, weekday) };
  }
  return numericDay(text, context) ?? namedMonth(text, context) ?? unclear;
}

/** `2026-11-23`, `23/11/2026`, `23.11.26`, `23112026`, `23/11`, `dia 23`. */
function numericDay(text: string, context: DayContext): Parsed | undefined {
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/u.exec(text);
  if (iso) {
    return known(dayFrom(Number(iso[1]), Number(iso[2]), Number(iso[3])));
  }
  const full = /^(\d{1,2})([/. -])(\d{1,2})\2(\d{4}|\d\d)$/u.exec(text) ?? /^(\d\d)()(\d\d)(\d{4}|\d\d)$/u.exec(text);
  if (full) {
    return known(dayFrom(yearOf(full[4]), Number(full[3]), Number(full[1])));
  }
  const yearless = /^(\d{1,2})[/. -](\d{1,2})$/u.exec(text);
  if (yearless) {
    return withoutYear(Number(yearless[2]), Number(yearless[1]), context);
  }
  const bare = /^(?:dia|day) (\d{1,2})$/u.exec(text);
  return bare ? withoutMonth(Number(bare[1]), context) : undefined;
}

/** `24 nov`, `24 de novembro de 2026`, `nov 24 2026`, `march 3rd`. */
function namedMonth(text: string, context: DayContext): Parsed | undefined {
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th|o)? (?:de |of )?([a-z]{3,}\.?)(?: (?:de |del )?(\d{4}))?$/u.exec(text);
  const monthFirst = /^([a-z]{3,}\.?) (\d{1,2})(?:st|nd|rd|th)?(?: (\d{4}))?$/u.exec(text);
  const [date, name, year] = dayFirst
    ? [dayFirst[1], dayFirst[2], dayFirst[3]]
    : [monthFirst?.[2], monthFirst?.[1], monthFirst?.[3]];
  const month = name === undefined ? undefined : placeOf(name, months);
  if (month === undefined) {
    return undefined;
  }
  return year === undefined
    ? withoutYear(month + 1, Number(date), context)
    : known(dayFrom(Number(year), month + 1, Number(date)));
}

function withoutYear(month: number, date: number, { today, isAhead }: DayContext): Parsed {
  const year = Number(today.slice(0, 4));
  const thisYear = dayFrom(year, month, date);
  const isPast = thisYear !== undefined && isAhead !== undefined && thisYear < today;
  return known(isPast ? dayFrom(year + 1, month, date) : thisYear);
}

function withoutMonth(date: number, { today, isAhead }: DayContext): Parsed {
  const inMonth = (day: string) => dayFrom(Number(day.slice(0, 4)), Number(day.slice(5, 7)), date);
  const thisMonth = inMonth(today);
  const isPast = thisMonth !== undefined && isAhead !== undefined && thisMonth < today;
  return known(isPast ? inMonth(addMonths(today, 1)) : thisMonth);
}

function known(day: string | undefined): Parsed {
  return day === undefined ? { problem: "noSuchDay" } : { value: day };
}

function yearOf(digits: string | undefined): number {
  return Number(digits) + (digits?.length === 2 ? 2_000 : 0);
}

function timeOf(typed: string): Parsed {
  const text = typed.replace(/^(as|a las|a la|las|at|pelas|@) /u, "");
  if (Object.hasOwn(namedTimes, text)) {
    return { value: namedTimes[text] ?? "" };
  }
  const part = dayParts.find(([pattern]) => pattern.test(text));
  const half = /^(.*\d) ?([ap])\.?m\.?$/u.exec(text);
  const clock = (part ? text.replace(part[0], "") : (half?.[1] ?? text)).trim();
  const [, hours, minutes = "00"] =
    /^(\d{1,2}) ?(?:h|hs|hrs?|horas?|hours?)?$/u.exec(clock) ??
    /^(\d{1,2})[:.](\d\d) ?(?:h|hs)?$/u.exec(clock) ??
    /^(\d{1,2}) ?h ?(\d\d) ?(?:m|min)?$/u.exec(clock) ??
    /^(\d{1,2})(\d\d)$/u.exec(clock) ??
    [];
  if (hours === undefined) {
    return unclear;
  }
  const hour = hourOf(Number(hours), part ? `part ${part[1]}` : half ? (half[2] === "p" ? "pm" : "am") : undefined);
  return !(hour <= 23) || Number(minutes) > 59
    ? { problem: "noSuchTime" }
    : { value: `${String(hour).padStart(2, "0")}:${minutes}` };
}

/** The hour of 0 to 23. "am" and "pm" go with 1 to 12; a part of the day ("da tarde") also with 13 to 23. */
function hourOf(hour: number, half: "am" | "pm" | "part am" | "part pm" | undefined): number {
  if (half === undefined || (half.startsWith("part") && hour > 12)) {
    return hour;
  }
  if (hour < 1 || hour > 12) {
    return Number.NaN;
  }
  return (hour % 12) + (half.endsWith("pm") ? 12 : 0);
}

/** The minutes of "in 2 hours", "em 30 min", "+1h". */
function offsetOf(text: string): number | undefined {
  const [, count = "", unit = ""] =
    /^(?:em|en|in|daqui a|dentro de|within|\+) ?(\d{1,3}|uma?|una?|an?|one) ?([a-z]+)$/u.exec(text) ?? [];
  const minutes = unitMinutes.find(([pattern]) => pattern.test(unit))?.[1];
  return minutes === undefined ? undefined : minutes * (/^\d/u.test(count) ? Number(count) : 1);
}
