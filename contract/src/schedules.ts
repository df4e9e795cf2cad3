import { z } from "zod";
import { changesOf, done, id, idParams, instant, paged, pageNumber, searchParam } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** PENDENTE waits for its time; ERRO could not be sent, and says why. */
export const scheduleStatuses = ["PENDENTE", "ENVIADA", "ERRO"] as const;
export type ScheduleStatus = (typeof scheduleStatuses)[number];

const named = z.object({ id: z.number().int(), name: z.string() });

export const schedule = z.object({
  id: z.number().int(),
  body: z.string(),
  contactId: z.number().int(),
  contact: named.extend({ number: z.string() }),
  userId: z.number().int().nullable(),
  user: named.nullable(),
  whatsappId: z.number().int().nullable(),
  sendAt: instant,
  /** Given to the conversation: nothing can be changed from then on. */
  sentAt: instant.nullable(),
  status: z.enum(scheduleStatuses),
  /** Sent after its time, because the server was down then. */
  isLate: z.boolean(),
  /** An error code, or what the line said. */
  error: z.string().nullable(),
});
export type Schedule = z.output<typeof schedule>;

/** Specification 1 section 5: at least 5 letters, in one hour unless told otherwise. */
export const scheduleRules = { minLetters: 5, maxLetters: 4_000, defaultDelayMs: 3_600_000 } as const;
export const scheduleBody = z.object({
  body: z
    .string()
    .trim()
    .min(scheduleRules.minLetters, "Mensagem muito curta")
    .max(scheduleRules.maxLetters, "Too Long!"),
  contactId: id,
  sendAt: instant,
  /** The line to write by; without one the contact's own. */
  whatsappId: id.nullable().default(null),
});

const access = { who: "session", plan: "useSchedules" } as const;
const record = { params: idParams, access, response: schedule } as const;

/** Not `schedules`: those are the opening hours of a queue. */
export const scheduledMessages = {
  list: endpoint({
    method: "GET",
    path: "/schedules",
    summary: "One's own scheduled messages (everybody's for an admin), the next one first, a page at a time",
    access,
    query: z.object({ searchParam, pageNumber, contactId: id.optional() }),
    response: paged("schedules", schedule),
  }),
  get: endpoint({
    method: "GET",
    path: "/schedules/:id",
    summary: "One scheduled message: its author, or an admin",
    ...record,
  }),
  create: endpoint({
    method: "POST",
    path: "/schedules",
    summary: "Schedule a message to a contact",
    access,
    body: scheduleBody,
    response: schedule,
  }),
  update: endpoint({
    method: "PUT",
    path: "/schedules/:id",
    summary: "Change one that was not sent, also to try again: its author, or an admin",
    ...record,
    body: changesOf(scheduleBody),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/schedules/:id",
    summary: "Delete it; one that waits is not sent: its author, or an admin",
    access,
    params: idParams,
    response: done,
  }),
} as const;
