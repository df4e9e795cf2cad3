import { z } from "zod";
import {
  changesOf,
  clientId,
  done,
  id,
  idParams,
  instant,
  name2to50,
  paged,
  pageNumber,
  searchParam,
} from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** Specification 2 section 4. */
export const campaignStatuses = ["INATIVA", "PROGRAMADA", "EM_ANDAMENTO", "CANCELADA", "FINALIZADA"] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

/** Constants of specification 2 section 9 and behaviour 7. */
export const campaignRules = {
  variants: 5,
  /** A scheduled campaign can be changed until this time before its start. */
  editableBeforeMs: 3_600_000,
  /** The report asks again this long after it saw FINALIZADA. */
  refetchAfterEndMs: 5_000,
  maxText: 4_000,
  /** A request for confirmation that nobody answered within this time has its final result: no answer. */
  answerWithinMs: 24 * 3_600_000,
} as const;

/** Choices of the settings, seconds and numbers of contacts (specification 2 section 9). */
export const campaignSettingChoices = {
  messageInterval: [0, 5, 10, 15, 20],
  longerIntervalAfter: [0, 1, 5, 10, 15, 20, 30, 40, 60, 80, 100, 120],
  greaterInterval: [0, 1, 5, 10, 15, 20, 30, 40, 60, 80, 100, 120],
} as const;
export const campaignSettingDefaults = {
  messageInterval: 20,
  longerIntervalAfter: 20,
  greaterInterval: 60,
  variables: [],
} as const;

/** Variables that every campaign has, in single braces: `{nome}`. */
export const campaignContactVariables = ["nome", "numero", "email"] as const;

const choice = (choices: readonly number[]) =>
  z.coerce
    .number()
    .int()
    .max(Math.max(...choices))
    .refine((value) => choices.includes(value), "Not one of the choices");
/** A key is written in texts as {key}; each is there once. */
export const campaignVariable = z.object({
  key: z
    .string()
    .trim()
    .min(1, "Required")
    .max(40, "Too Long!")
    .regex(/^[\p{L}\p{N}_-]+$/u, "Letters, digits, _ and - only"),
  value: z.string().trim().max(1000, "Too Long!"),
});
export const campaignSettingValues = {
  messageInterval: choice(campaignSettingChoices.messageInterval),
  longerIntervalAfter: choice(campaignSettingChoices.longerIntervalAfter),
  greaterInterval: choice(campaignSettingChoices.greaterInterval),
  variables: z.array(campaignVariable).max(100),
} as const;
export type CampaignSettingKey = keyof typeof campaignSettingValues;
export const campaignSettingKeys = Object.keys(campaignSettingValues) as CampaignSettingKey[];

/** What became of a contact of a campaign, from its wait to its end. */
export const recipientStates = [
  /** Whether the number is on WhatsApp is not known yet. */
  "unchecked",
  "waiting",
  /** Asked for confirmation, not answered yet. */
  "asked",
  /** Has agreed; the message is next. */
  "agreed",
  /** In the conversation, on its way to WhatsApp. */
  "queued",
  "sent",
  "delivered",
  "read",
  "failed",
  "declined",
  /** Nobody answered the request for confirmation in time. */
  "unanswered",
  "optedOut",
  "invalid",
  /** The same person twice, by another spelling of the number or after a merge. */
  "duplicate",
] as const;
export type RecipientState = (typeof recipientStates)[number];

/** Why a campaign that is on its way waits; its texts are in i18n. */
export const pauseReasons = ["disconnected", "limited", "capped", "dailyCap", "warmUp", "hours", "company"] as const;
export type PauseReason = (typeof pauseReasons)[number];
/** Why a campaign waits, before its start too: rows of a file are still being added to its list. */
export const waitReasons = [...pauseReasons, "import"] as const;
export type WaitReason = (typeof waitReasons)[number];

/**
 * Numbers of contacts by result; a contact that was read was also delivered and sent. `total` is the sum of `waiting`, `queued`,
 * `sent`, `failed`, `declined`, `unanswered`, `optedOut`, `invalid` and `duplicate`.
 */
export const campaignCounts = z.object({
  /** All contacts, the invalid ones too. */
  total: z.number().int(),
  /** All but the invalid ones and the duplicates. Progress is computed over these (specification 2 section 4). */
  valid: z.number().int(),
  /** The message is still to come: not checked, not asked, asked or agreed. */
  waiting: z.number().int(),
  confirmationRequested: z.number().int(),
  confirmed: z.number().int(),
  queued: z.number().int(),
  sent: z.number().int(),
  delivered: z.number().int(),
  read: z.number().int(),
  answered: z.number().int(),
  failed: z.number().int(),
  declined: z.number().int(),
  unanswered: z.number().int(),
  optedOut: z.number().int(),
  invalid: z.number().int(),
  duplicate: z.number().int(),
});
export type CampaignCounts = z.output<typeof campaignCounts>;

const named = z.object({ id: z.number().int(), name: z.string() });
const text = z.string().max(campaignRules.maxText, "Too Long!").default("");

/** One line of a campaign, and why it waits. */
const campaignLine = named.extend({
  pauseReason: z.enum(waitReasons).nullable(),
  pausedUntil: instant.nullable(),
  /** When the next contact is due by it. */
  nextAt: instant.nullable(),
});

export const campaign = z.object({
  id: z.number().int(),
  name: z.string(),
  status: z.enum(campaignStatuses),
  confirmation: z.boolean(),
  message1: z.string(),
  message2: z.string(),
  message3: z.string(),
  message4: z.string(),
  message5: z.string(),
  confirmationMessage1: z.string(),
  confirmationMessage2: z.string(),
  confirmationMessage3: z.string(),
  confirmationMessage4: z.string(),
  confirmationMessage5: z.string(),
  scheduledAt: instant.nullable(),
  startedAt: instant.nullable(),
  completedAt: instant.nullable(),
  companyId: z.number().int(),
  /** The first of `lines`. */
  whatsappId: z.number().int().nullable(),
  whatsapp: named.nullable(),
  /** Its contacts are dealt to these lines. */
  lines: z.array(campaignLine),
  contactListId: z.number().int().nullable(),
  contactList: named.extend({ contactsCount: z.number().int(), validCount: z.number().int() }).nullable(),
  tagListId: z.number().int().nullable(),
  tagList: named.nullable(),
  fileListId: z.number().int().nullable(),
  fileList: named.nullable(),
  /** Signed URL of its file, which expires; like `mediaUrl`. */
  mediaPath: z.string().nullable(),
  mediaName: z.string().nullable(),
  mediaUrl: z.string().nullable(),
  counts: campaignCounts,
  createdAt: instant,
});
export type Campaign = z.output<typeof campaign>;

export const recipient = z.object({
  id: z.number().int(),
  name: z.string(),
  number: z.string(),
  email: z.string(),
  state: z.enum(recipientStates),
  /** Error code or send failure. */
  reason: z.string().nullable(),
  /** Which of the five messages, from 1. */
  variant: z.number().int().nullable(),
  contactId: z.number().int().nullable(),
  /** The conversation that it was sent in. */
  ticketUuid: z.string().nullable(),
  confirmationRequestedAt: instant.nullable(),
  confirmedAt: instant.nullable(),
  sentAt: instant.nullable(),
  deliveredAt: instant.nullable(),
  readAt: instant.nullable(),
  answeredAt: instant.nullable(),
});
export type Recipient = z.output<typeof recipient>;

const fields = z.object({
  name: name2to50,
  confirmation: z.boolean().default(false),
  message1: text,
  message2: text,
  message3: text,
  message4: text,
  message5: text,
  confirmationMessage1: text,
  confirmationMessage2: text,
  confirmationMessage3: text,
  confirmationMessage4: text,
  confirmationMessage5: text,
  /** With a time it is scheduled (PROGRAMADA), one that is over is now; without it is inactive. */
  scheduledAt: instant.nullable().default(null),
  whatsappId: id.nullable().default(null),
  /** More lines that share the contacts. */
  whatsappIds: z.array(id).max(50).default([]),
  /** Its contacts: those of a list, or those whose conversations have a tag. */
  contactListId: id.nullable().default(null),
  tagListId: id.nullable().default(null),
  fileListId: id.nullable().default(null),
});
export const campaignBody = fields;
export type CampaignBody = z.output<typeof campaignBody>;
export const newCampaignBody = campaignBody.extend({ clientId });

const access = { who: "admin", plan: "useCampaigns" } as const;
/** Of what ends a campaign: also where the plan has campaigns no more, and those that are on their way wait. */
const endAccess = { who: "admin" } as const;
const record = { params: idParams, access, response: campaign } as const;

export const campaigns = {
  list: endpoint({
    method: "GET",
    path: "/campaigns",
    summary: "Campaigns, the newest first, a page at a time",
    access,
    query: z.object({ searchParam, pageNumber }),
    response: paged("records", campaign),
  }),
  get: endpoint({
    method: "GET",
    path: "/campaigns/:id",
    summary: "One campaign with its counts and the latest results",
    params: idParams,
    access,
    response: campaign.extend({
      shipping: z.array(
        recipient.pick({ id: true, name: true, number: true, deliveredAt: true, confirmationRequestedAt: true }),
      ),
    }),
  }),
  create: endpoint({
    method: "POST",
    path: "/campaigns",
    summary: "Add a campaign: inactive, or scheduled with a time",
    access,
    body: newCampaignBody,
    response: campaign,
  }),
  update: endpoint({
    method: "PUT",
    path: "/campaigns/:id",
    summary: "Change one that is inactive or starts in more than an hour; of a cancelled one its texts",
    ...record,
    body: changesOf(campaignBody),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/campaigns/:id",
    summary: "Delete it; not while it is being sent",
    params: idParams,
    access: endAccess,
    response: done,
  }),
  cancel: endpoint({
    method: "POST",
    path: "/campaigns/:id/cancel",
    summary: "Stop one that is being sent",
    ...record,
    access: endAccess,
  }),
  restart: endpoint({
    method: "POST",
    path: "/campaigns/:id/restart",
    summary: "Go on with a cancelled one: nobody gets it twice",
    ...record,
  }),
  clone: endpoint({
    method: "POST",
    path: "/campaigns/:id/clone",
    summary: "An inactive copy, without results",
    ...record,
  }),
  test: endpoint({
    method: "POST",
    path: "/campaigns/:id/test",
    summary: "Send each message once to a number, as the campaign would",
    params: idParams,
    access,
    body: z.object({ number: z.string().min(8, "Too Short!").max(50, "Too Long!") }),
    response: done,
  }),
  upload: endpoint({
    method: "POST",
    path: "/campaigns/:id/media-upload",
    summary: "Attach a file",
    ...record,
    body: z.object({ typeArch: z.string().max(60).optional() }),
    files: { field: "file", max: 1, required: true },
  }),
  removeMedia: endpoint({
    method: "DELETE",
    path: "/campaigns/:id/media-upload",
    summary: "Take the file off",
    ...record,
  }),
  recipients: endpoint({
    method: "GET",
    path: "/campaigns/:id/recipients",
    summary: "Its contacts with their results, a page at a time",
    params: idParams,
    access,
    query: z.object({ searchParam, pageNumber, state: z.union([z.literal(""), z.enum(recipientStates)]).default("") }),
    response: paged("records", recipient),
  }),
  timeline: endpoint({
    method: "GET",
    path: "/campaigns/:id/timeline",
    summary: "How many were sent, delivered, read and answered, in steps of time",
    params: idParams,
    access,
    response: z.object({
      stepSeconds: z.number().int(),
      steps: z.array(
        z.object({
          at: instant,
          sent: z.number().int(),
          delivered: z.number().int(),
          read: z.number().int(),
          answered: z.number().int(),
        }),
      ),
    }),
  }),
  export: endpoint({
    method: "GET",
    path: "/campaigns/:id/export",
    summary: "Its contacts with their results as csv or xlsx, streamed",
    params: idParams,
    access,
    query: z.object({ format: z.enum(["csv", "xlsx"]).default("csv") }),
    response: z.string(),
  }),
} as const;

const campaignSetting = z.object({ key: z.enum(campaignSettingKeys), value: z.string() });

export const campaignSettings = {
  list: endpoint({
    method: "GET",
    path: "/campaign-settings",
    summary: "Pace and variables of campaigns: key and JSON value",
    access,
    response: z.array(campaignSetting),
  }),
  save: endpoint({
    method: "POST",
    path: "/campaign-settings",
    summary: "Save pace and variables",
    access,
    body: z.object({
      settings: z.object(campaignSettingValues).partial(),
      /**
       * The variables as the form has read them. Of what is named here, what `variables` has with the same value is not the form's to
       * change: it stays as colleagues have left it since, or deleted. A key that is not named here was added by others, and stays. Without
       * it `variables` are all.
       */
      knownVariables: z
        .array(z.object({ key: z.string(), value: z.string().trim() }))
        .max(1_000)
        .optional(),
    }),
    response: z.array(campaignSetting),
  }),
} as const;
