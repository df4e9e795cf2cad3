import { z } from "zod";
import { pauseReasons } from "./campaigns.ts";
import { id, idParams, instant } from "./common.ts";

import { endpoint } from "./endpoint.ts";
import { weekdaysEn } from "./queues.ts";

/** Constants of the sending gate (P-01 to P-03). */
export const sendingConstants = {
  /** To who wrote within so many days one replies; to anybody else one starts a conversation. WhatsApp's privacy tokens live about as long. */
  repliesUntilDays: 28,
  /** An opt-out word counts after a campaign or a scheduled message of so many days, whatever was said since. */
  optOutAfterBulkDays: 30,
  /** No line starts conversations faster than this, whatever a company sets. */
  floorGapMs: 1_000,
  /** Each gap is stretched or shortened at random by up to this part of it. */
  jitter: 0.3,
} as const;

/** Why something that starts a conversation waits; `pace`: the line has just started another. */
export const holdReasons = [...pauseReasons, "pace"] as const;
export type HoldReason = (typeof holdReasons)[number];

/** Who said that a contact wants no campaigns: the contact by a word, a user, or the contact by declining a request for confirmation. */
export const optOutSources = ["word", "person", "declined"] as const;
export type OptOutSource = (typeof optOutSources)[number];

const named = z.object({ id: z.number().int(), name: z.string() });

/** A contact that wants no campaigns and no scheduled messages, and how that ended. */
export const optOut = z.object({
  id: z.number().int(),
  contactId: z.number().int(),
  at: instant,
  source: z.enum(optOutSources),
  /** As the contact wrote it; null where a user set it. */
  word: z.string().nullable(),
  /** The message that said it, and its conversation. */
  messageId: z.number().int().nullable(),
  ticketUuid: z.string().nullable(),
  /** Who set it; null: the contact. */
  user: named.nullable(),
  note: z.string(),
  takenBackAt: instant.nullable(),
  /** Who took it back; null: the contact by a word, or nobody. */
  takenBackBy: named.nullable(),
});
export type OptOut = z.output<typeof optOut>;

export const optOutNoteMax = 300;
export const optOutNote = z.string().trim().max(optOutNoteMax, "Too Long!").default("");

const session = { who: "session" } as const;

export const optOuts = {
  ofContact: endpoint({
    method: "GET",
    path: "/contacts/:id/opt-outs",
    summary: "Whether the contact wants no campaigns, and since when; with what was before",
    access: session,
    params: idParams,
    response: z.object({
      /** Null: the contact gets campaigns. */
      active: optOut.nullable(),
      /** The newest first, the active one among them; at most 50. */
      history: z.array(optOut),
    }),
  }),
  set: endpoint({
    method: "POST",
    path: "/contacts/:id/opt-out",
    summary: "The contact wants no campaigns and no scheduled messages; nothing changes for one that is known",
    access: session,
    params: idParams,
    body: z.object({ note: optOutNote }),
    response: optOut,
  }),
  takeBack: endpoint({
    method: "DELETE",
    path: "/contacts/:id/opt-out",
    summary: "The contact wants campaigns again",
    access: session,
    params: idParams,
    response: z.object({ taken: z.boolean() }),
  }),
} as const;

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/u, "Invalid time");

/** When campaigns may send, in the company's time zone. */
export const sendingHours = z
  .object({
    /** Off: day and night. */
    isOn: z.boolean(),
    weekdays: z.array(z.enum(weekdaysEn)).min(1, "Required").max(7),
    start: clock,
    end: clock,
  })
  .refine(({ start, end }) => start < end, { path: ["end"], message: "Must be after the start" });
export type SendingHours = z.output<typeof sendingHours>;

/** Rules of a company that saved none. */
export const sendingDefaults: { readonly minGapSeconds: number; readonly hours: SendingHours } = {
  minGapSeconds: 1,
  hours: {
    isOn: true,
    weekdays: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday"],
    start: "08:00",
    end: "20:00",
  },
};

const dailyCap = z.number().int().min(1).max(100_000).nullable();
const minGapSeconds = z.coerce.number().int().min(1).max(3_600);

const lineRules = z.object({
  whatsappId: z.number().int(),
  name: z.string(),
  /** The most conversations that campaigns and schedules start in a day; null: any number. */
  dailyCap,
  /** Whether the operator's warm-up plan holds for it. */
  warmUp: z.boolean(),
  /** Since its number was linked; null: for longer than is known, so it is no young line. */
  ageDays: z.number().int().nullable(),
  /** What the warm-up plan allows today; null: any number. */
  warmUpLimit: z.number().int().nullable(),
  startedToday: z.number().int(),
});
export type LineRules = z.output<typeof lineRules>;

export const sendingRules = z.object({
  minGapSeconds: z.number().int(),
  hours: sendingHours,
  lines: z.array(lineRules),
});
export type SendingRules = z.output<typeof sendingRules>;

/** Absent rules stay, and lines that are not named. */
export const sendingRulesBody = z.object({
  minGapSeconds: minGapSeconds.optional(),
  hours: sendingHours.optional(),
  lines: z
    .array(z.object({ whatsappId: id, dailyCap: dailyCap.default(null), warmUp: z.boolean().default(true) }))
    .max(500)
    .default([]),
});

export const sendingRulesApi = {
  get: endpoint({
    method: "GET",
    path: "/sending-rules",
    summary: "Pace, hours and daily caps that protect the company's numbers",
    access: { who: "admin" },
    response: sendingRules,
  }),
  save: endpoint({
    method: "PUT",
    path: "/sending-rules",
    summary: "Save those of pace, hours and caps of lines that are named",
    access: { who: "admin" },
    body: sendingRulesBody,
    response: sendingRules,
  }),
} as const;

/** How many conversations a young line may start a day, from this day of its life on; null: any number. */
export const warmUpStep = z.object({
  day: z.coerce.number().int().min(1).max(365),
  limit: z.number().int().min(0).max(100_000).nullable(),
});
export type WarmUpStep = z.output<typeof warmUpStep>;

export const defaultWarmUpPlan: readonly WarmUpStep[] = [
  { day: 1, limit: 20 },
  { day: 2, limit: 30 },
  { day: 3, limit: 45 },
  { day: 5, limit: 70 },
  { day: 7, limit: 100 },
  { day: 10, limit: 150 },
  { day: 14, limit: 250 },
  { day: 21, limit: 500 },
  { day: 30, limit: null },
];

const steps = z
  .array(warmUpStep)
  .max(60)
  .refine((plan) => new Set(plan.map(({ day }) => day)).size === plan.length, "A day is there twice");

/** Of the installation, for the lines of all companies. */
export const warmUpPlan = {
  get: endpoint({
    method: "GET",
    path: "/warm-up-plan",
    summary: "How many conversations a young line may start a day",
    access: { who: "super" },
    response: z.object({ steps }),
  }),
  save: endpoint({
    method: "PUT",
    path: "/warm-up-plan",
    summary: "Save the plan; an empty one holds nobody",
    access: { who: "super" },
    body: z.object({ steps }),
    response: z.object({ steps }),
  }),
} as const;
