import { z } from "zod";
import {
  changesOf,
  clientId,
  dayOrNone,
  done,
  id,
  idParams,
  instant,
  paged,
  pageNumber,
  searchParam,
} from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { holdReasons } from "./sending.ts";

/** PENDENTE: waiting for its time; ERRO: failed, with a reason. */
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
  /** Time of handing over to the conversation; not editable afterwards. */
  sentAt: instant.nullable(),
  status: z.enum(scheduleStatuses),
  /** Sent late, because the server was down. */
  isLate: z.boolean(),
  /** Error code, or the error of the line. */
  error: z.string().nullable(),
  /** Why it waits although it is due, and until when: the line may not start a conversation now (P-03). */
  heldReason: z.enum(holdReasons).nullable(),
  heldUntil: instant.nullable(),
  /** Signed URL of its file, which is sent with the text as its caption; like `mediaUrl`, it expires. */
  mediaPath: z.string().nullable(),
  mediaName: z.string().nullable(),
  mediaUrl: z.string().nullable(),
});
export type Schedule = z.output<typeof schedule>;

/** At least 5 characters, by default in one hour (specification 1 section 5). `rangePage`: page size of a range of days. */
export const scheduleRules = { minLetters: 5, maxLetters: 4_000, defaultDelayMs: 3_600_000, rangePage: 500 } as const;
export const scheduleBody = z.object({
  body: z
    .string()
    .trim()
    .min(scheduleRules.minLetters, "Mensagem muito curta")
    .max(scheduleRules.maxLetters, "Too Long!"),
  contactId: id,
  sendAt: instant,
  /** Connection to send by; default: that of the contact. */
  whatsappId: id.nullable().default(null),
});

export const newScheduleBody = scheduleBody.extend({ clientId });

const access = { who: "session", plan: "useSchedules" } as const;
/** Of what keeps one from being sent: also where the plan has scheduled messages no more, and those that are due wait. */
const endAccess = { who: "session" } as const;
const record = { params: idParams, access, response: schedule } as const;
const files = { field: "file", max: 1 } as const;

/** Named so because `schedules` are the service hours of a queue. */
export const scheduledMessages = {
  list: endpoint({
    method: "GET",
    path: "/schedules",
    summary:
      "One's own scheduled messages (everybody's for an admin), the next one first, a page at a time; or those of days",
    access,
    query: z.object({
      searchParam,
      pageNumber,
      contactId: id.optional(),
      /** First and last day, of the company's time zone. With one of them the list is in order of time, in pages of 500. */
      dateStart: dayOrNone,
      dateEnd: dayOrNone,
    }),
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
    summary: "Schedule a message to a contact; with its file in one multipart, it cannot be sent before it",
    access,
    body: newScheduleBody,
    files,
    response: schedule,
  }),
  update: endpoint({
    method: "PUT",
    path: "/schedules/:id",
    summary: "Change one that was not sent, also to try again: its author, or an admin",
    ...record,
    body: changesOf(scheduleBody),
  }),
  retry: endpoint({
    method: "POST",
    path: "/schedules/:id/retry",
    summary: "Send a failed one now: its author, or an admin",
    ...record,
  }),
  upload: endpoint({
    method: "POST",
    path: "/schedules/:id/media-upload",
    summary: "Attach a file, which replaces an earlier one: its author, or an admin",
    ...record,
    body: z.object({ typeArch: z.string().max(60).optional() }),
    files: { ...files, required: true },
  }),
  removeMedia: endpoint({
    method: "DELETE",
    path: "/schedules/:id/media-upload",
    summary: "Take the file off: its author, or an admin",
    ...record,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/schedules/:id",
    summary: "Delete it; one that waits is not sent: its author, or an admin",
    access: endAccess,
    params: idParams,
    response: done,
  }),
} as const;
