/** Formats of times, counts and money: in the company's time zone, dd/MM/yyyy in every language. */
import { createContext, createElement, useContext, type ReactNode } from "react";
import { useOfMinute } from "#web/lib/browser/minute.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { useSession } from "#web/lib/session/session.ts";
import { localeOf, useLanguage, type Language } from "./i18n.ts";

/** Time zone of a visitor without a company. */
const DEFAULT_ZONE = "America/Sao_Paulo";

type When = string | number | Date;

export interface Format {
  /** dd/MM/yyyy. A calendar day (`2026-12-18`) is shown as it is, whatever the zone. */
  readonly date: (when: When) => string;
  /** HH:mm */
  readonly time: (when: When) => string;
  /** dd/MM/yyyy HH:mm:ss */
  readonly dateTime: (when: When) => string;
  /** HH:mm if it is today, else dd/MM/yyyy: the time in a list row. */
  readonly listTime: (when: When) => string;
  /** A day separator of a conversation: today and yesterday by name, others by date. */
  readonly day: (when: When, words: { readonly today: string; readonly yesterday: string }) => string;
  readonly number: (value: number) => string;
  /** Brazilian reais, written as in Brazil in every language (specification 2, section 9); another currency as the language does. */
  readonly money: (value: number, currency?: string) => string;
  /** "1,4 MB" */
  readonly bytes: (value: number) => string;
  /** Minutes as "HH h mm m" (specification 1, Dashboard). */
  readonly minutes: (value: number) => string;
  /** Seconds as m:ss: audio. */
  readonly clock: (seconds: number) => string;
}

export function createFormat(language: Language, timeZone: string, now: () => number = serverNow): Format {
  const locale = localeOf[language];
  const day = new Intl.DateTimeFormat("en-GB", { timeZone, day: "2-digit", month: "2-digit", year: "numeric" });
  const hour = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const second = new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "medium", hourCycle: "h23" });

  const dayOf = remembered(QUARTER, (at) => day.format(at));
  const timeOf = remembered(MINUTE, (at) => hour.format(at));
  const date = (when: When) => calendarDay(when) ?? dayOf(when);
  const time = timeOf;
  const isSameDay = (one: When, other: When) => date(one) === date(other);
  const number = (value: number) => value.toLocaleString(locale);

  return {
    date,
    time,
    dateTime: (when) => `${date(when)} ${second.format(new Date(when))}`,
    listTime: (when) => (isSameDay(when, now()) ? time(when) : date(when)),
    day: (when, { today, yesterday }) => {
      if (isSameDay(when, now())) {
        return today;
      }
      return date(when) === dayBefore(date(now())) ? yesterday : date(when);
    },
    number,
    money: (value, currency) =>
      value.toLocaleString(currency ? locale : "pt-BR", { style: "currency", currency: currency ?? "BRL" }),
    bytes: (value) => bytesText(value, locale),
    minutes: (value) => `${twoDigits(Math.floor(value / 60))} h ${twoDigits(Math.floor(value % 60))} m`,
    clock: (seconds) => `${Math.floor(seconds / 60)}:${twoDigits(Math.floor(seconds % 60))}`,
  };
}

/** The calendar day before a dd/MM/yyyy: 24 hours before a moment are another day where the clocks have changed. */
function dayBefore(ddMMyyyy: string): string {
  const [day = 1, month = 1, year = 0] = ddMMyyyy.split("/").map(Number);
  return new Date(Date.UTC(year, month - 1, day - 1)).toISOString().slice(0, 10).split("-").reverse().join("/");
}

/** Days begin, and offsets change, at a quarter of an hour in every zone of our time. */
const QUARTER = 15 * 60_000;
const MINUTE = 60_000;
/** Some 50 kB. */
const MAX_REMEMBERED = 1_000;

/** Formats each span of time once: a conversation asks three times for the day of each of its messages, and for today's. */
function remembered(span: number, format: (at: number) => string): (when: When) => string {
  const texts = new Map<number, string>();
  return (when) => {
    const at = new Date(when).getTime();
    const key = Math.floor(at / span);
    const known = texts.get(key);
    if (known !== undefined) {
      return known;
    }
    if (texts.size >= MAX_REMEMBERED) {
      texts.clear();
    }
    const text = format(at);
    texts.set(key, text);
    return text;
  };
}

const known = new Map<string, { readonly day: string; readonly format: Format }>();

/**
 * One for all components: `Intl.DateTimeFormat` takes half a millisecond to make, and every bubble shows a time. On another day it is
 * another object, so that what was made with it is made again.
 */
export function formatOf(language: Language, zone: string, day: string): Format {
  const key = `${language} ${zone}`;
  const last = known.get(key);
  if (last?.day === day) {
    return last.format;
  }
  const format = last ? { ...last.format } : createFormat(language, zone);
  known.set(key, { day, format });
  return format;
}

const DayContext = createContext("");

/** Tells all formats when a day begins: a row that nothing else changes would show yesterday's hour as today's (T-04). */
export function DayProvider({ children }: { readonly children: ReactNode }) {
  const zone = useZone();
  return createElement(DayContext, { value: useOfMinute((now) => dayIn(zone, now)) }, children);
}

/** The formats of the chosen language and the user's company. */
export function useFormat(): Format {
  return formatOf(useLanguage(), useZone(), useContext(DayContext));
}

function useZone(): string {
  const session = useSession();
  return session.state === "in" ? session.user.company.timeZone : DEFAULT_ZONE;
}

/** Whole days from today until a calendar day, in a zone; negative when it is past. */
export function daysUntil(dueDate: string, timeZone: string, now: number): number {
  return Math.round((Date.parse(dueDate.slice(0, 10)) - Date.parse(dayIn(timeZone, now))) / 86_400_000);
}

/** `2026-12-18`: the day that it is now in a zone. */
function dayIn(timeZone: string, now: number): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone }).format(now);
}

/** `2026-12-18` → `18/12/2026`; a day has no zone and must not move. */
function calendarDay(when: When): string | undefined {
  const parts = typeof when === "string" ? /^(\d{4})-(\d{2})-(\d{2})$/.exec(when) : undefined;
  return parts ? `${parts[3]}/${parts[2]}/${parts[1]}` : undefined;
}

function bytesText(value: number, locale: string): string {
  const units = ["B", "kB", "MB", "GB"];
  const step = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  const shown = (value / 1000 ** step).toLocaleString(locale, { maximumFractionDigits: step === 0 ? 0 : 1 });
  return `${shown} ${units[step] ?? "GB"}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
