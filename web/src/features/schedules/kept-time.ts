import type { Schedule } from "@prosa/contract/schedules";
import { instantOf, wallClockOf } from "@prosa/contract/zoned-time";

/** The time with which a form opens. */
export interface OpenedTime {
  /** As its field shows it: wall-clock time in the company's time zone. */
  readonly text: string;
  readonly at: Date;
}

/** A form shows minutes, and what is shown is what is sent. */
export function openedTime(at: Date, timeZone: string): OpenedTime {
  const minute = new Date(Math.floor(at.getTime() / 60_000) * 60_000);
  return { text: wallClockOf(minute, timeZone), at: minute };
}

/**
 * The instant that a form's text means; undefined where it is no time. Untouched it is the one with which the form opened: of an
 * hour that comes twice, as the clocks go back, the text alone says the first, which may have passed.
 */
export function meantTime(text: string, opened: OpenedTime, timeZone: string): Date | undefined {
  return text === opened.text ? opened.at : instantOf(text, timeZone);
}

/**
 * Does the form leave a schedule its time? That may have passed, where the sending gate holds the message. A failed one needs a
 * new time.
 */
export function keepsTime(schedule: Pick<Schedule, "status"> | undefined, text: string, opened: OpenedTime): boolean {
  return schedule?.status === "PENDENTE" && text === opened.text;
}
