import { z } from "zod";
import { changesOf, color, done, id, idParams, name2to50, newToken } from "./common.ts";
import { endpoint } from "./endpoint.ts";

const text = z.string().max(4000).default("");

/** Weekdays of a service-hours table, Monday first; two ranges a day. */
export const weekdaysEn = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "HH:MM");
export const scheduleDay = z.object({
  weekday: z.string().max(30),
  weekdayEn: z.enum(weekdaysEn),
  startTime: clockTime,
  endTime: clockTime,
  startTime2: clockTime.nullable().default(null),
  endTime2: clockTime.nullable().default(null),
});
export type ScheduleDay = z.output<typeof scheduleDay>;
export const schedules = z.array(scheduleDay).length(7);

/**
 * Do the two ranges of a day overlap? A range that ends before it starts continues after midnight and excludes a second
 * one; a range with equal ends is empty.
 */
export function isOverlapping({ startTime, endTime, startTime2, endTime2 }: ScheduleDay): boolean {
  const hasBoth = startTime !== endTime && startTime2 !== null && endTime2 !== null && startTime2 !== endTime2;
  return hasBoth && (endTime < startTime || startTime2 < endTime);
}

/** A valid week of service hours. */
export const savedSchedules = schedules.refine((week) => !week.some(isOverlapping), "Ranges overlap");

const weekdayNames = [
  "Segunda-feira",
  "Terça-feira",
  "Quarta-feira",
  "Quinta-feira",
  "Sexta-feira",
  "Sábado",
  "Domingo",
];
/** Specification 2 section 9: Mon–Fri 08:00–18:00, Sat 08:00–12:00, Sun 00:00–00:00. */
export const defaultSchedules: ScheduleDay[] = weekdaysEn.map((weekdayEn, index) => ({
  weekday: weekdayNames[index] ?? weekdayEn,
  weekdayEn,
  startTime: weekdayEn === "sunday" ? "00:00" : "08:00",
  endTime: weekdayEn === "sunday" ? "00:00" : weekdayEn === "saturday" ? "12:00" : "18:00",
  startTime2: null,
  endTime2: null,
}));

/** Minutes after which a waiting contact is shown in amber, and in red; 0: never. */
export const waitLimits = z.object({
  waitWarningMinutes: z.number().int(),
  waitLimitMinutes: z.number().int(),
});
export type WaitLimits = z.output<typeof waitLimits>;

/** Limits of a new queue, and of tickets without a queue. */
export const defaultWaitLimits: WaitLimits = { waitWarningMinutes: 15, waitLimitMinutes: 60 };

/** Does the warning come before the limit? True where one of them is off. */
export function areWaitLimitsInOrder({ waitWarningMinutes, waitLimitMinutes }: WaitLimits): boolean {
  return waitWarningMinutes === 0 || waitLimitMinutes === 0 || waitWarningMinutes < waitLimitMinutes;
}

/** Refusal of limits that are not in order. */
export const limitBeforeWarning = "The limit is not later than the warning";

/** At most a week. */
const waitMinutes = z.coerce.number().int().min(0).max(10_080);

export const queue = z.object({
  id: z.number().int(),
  name: z.string(),
  color: z.string(),
  orderQueue: z.number().int(),
  greetingMessage: z.string(),
  complationMessage: z.string(),
  outOfHoursMessage: z.string(),
  ratingMessage: z.string(),
  /** Whether an API token is set; the token itself is only in the answer to saving it. */
  hasToken: z.boolean(),
  token: z.string().optional(),
  integrationId: z.number().int().nullable(),
  promptId: z.number().int().nullable(),
  ...waitLimits.shape,
  /** Days that messages of resolved conversations are kept (V-02); null: the company's. */
  retentionDays: z.number().int().nullable(),
  schedules,
});
export type Queue = z.output<typeof queue>;

const queueFields = z.object({
  name: name2to50,
  color,
  orderQueue: z.coerce.number().int().min(0).max(10_000).default(0),
  greetingMessage: text,
  complationMessage: text,
  outOfHoursMessage: text,
  ratingMessage: text,
  token: newToken,
  integrationId: id.nullable().default(null),
  promptId: id.nullable().default(null),
  waitWarningMinutes: waitMinutes.default(defaultWaitLimits.waitWarningMinutes),
  waitLimitMinutes: waitMinutes.default(defaultWaitLimits.waitLimitMinutes),
  retentionDays: z.number().int().min(1).max(36_500).nullable().default(null),
  schedules: savedSchedules.default(defaultSchedules),
});
export const queueBody = queueFields.refine(areWaitLimitsInOrder, {
  path: ["waitLimitMinutes"],
  message: limitBeforeWarning,
});
export type QueueBody = z.output<typeof queueBody>;

export const queues = {
  list: endpoint({
    method: "GET",
    path: "/queue",
    summary: "Queues of the company, by their order",
    access: { who: "session" },
    query: z.object({ companyId: z.string().optional() }),
    response: z.array(queue),
  }),
  get: endpoint({
    method: "GET",
    path: "/queue/:id",
    summary: "One queue",
    access: { who: "session" },
    params: idParams,
    response: queue,
  }),
  create: endpoint({
    method: "POST",
    path: "/queue",
    summary: "Add a queue",
    access: { who: "admin" },
    body: queueBody,
    response: queue,
  }),
  update: endpoint({
    method: "PUT",
    path: "/queue/:id",
    summary: "Change a queue",
    access: { who: "admin" },
    params: idParams,
    body: changesOf(queueFields),
    response: queue,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/queue/:id",
    summary:
      "Delete a queue; its tickets stay without one, and messages that it served are kept for the company's days",
    access: { who: "admin" },
    params: idParams,
    response: done,
  }),
} as const;
