import { z } from "zod";
import {
  changesOf,
  done,
  id,
  idParams,
  instant,
  name2to50,
  paged,
  pageNumber,
  searchParam,
  webAddress,
} from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** Specification 2 section 9. */
export const integrationTypes = ["dialogflow", "n8n", "webhook", "typebot"] as const;
export type IntegrationType = (typeof integrationTypes)[number];
export const integrationLanguages = ["pt-BR", "en", "es"] as const;
/** Where Dialogflow keeps an agent that no region was chosen for. */
export const globalLocation = "global";
export const typebotDefaults = { delayMessage: 1000, expires: 1 } as const;

export const queueIntegration = z.object({
  id: z.number().int(),
  type: z.enum(integrationTypes),
  name: z.string(),
  projectName: z.string(),
  location: z.string(),
  language: z.enum(integrationLanguages),
  urlN8N: z.string(),
  typebotSlug: z.string(),
  typebotDelayMessage: z.number().int(),
  typebotExpires: z.number().int(),
  typebotKeywordFinish: z.string(),
  typebotKeywordRestart: z.string(),
  typebotRestartMessage: z.string(),
  typebotUnknownMessage: z.string(),
  /** Write-only: responses only say whether a service account is set. */
  hasJsonContent: z.boolean(),
});
export type QueueIntegration = z.output<typeof queueIntegration>;

const usedBy = z.array(z.object({ id: z.number().int(), name: z.string() }));

/** A row of the list: with its use, and how its calls went. */
export const listedIntegration = queueIntegration.extend({
  /** The queues and connections that chose it, by name. */
  queues: usedBy,
  connections: usedBy,
  /** Its last call that was answered, of those in the log; null: none. */
  lastWorkedAt: instant.nullable(),
  /** What its calls fail with since then; null: the last one was answered. */
  failure: z.object({ error: z.string(), since: instant }).nullable(),
  /** What was wrong in the last answer, and left out of it. */
  remark: z.string().nullable(),
});
export type ListedIntegration = z.output<typeof listedIntegration>;

const keyword = z.string().trim().max(50).default("");
const text = z.string().max(4000).default("");
/** A region of Dialogflow ES: europe-west1. It becomes a part of a host name. */
const location = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(?:[a-z][a-z0-9-]{0,38}[a-z0-9])?$/u)
  .transform((region) => region || globalLocation)
  .default(globalLocation);

const fields = z.object({
  type: z.enum(integrationTypes),
  name: name2to50,
  /** Dialogflow project; other types repeat the name. */
  projectName: z.string().trim().max(100).default(""),
  /** Of the Dialogflow agent; empty: global. */
  location,
  /** Absent: the service account stays; empty: it is removed. */
  jsonContent: z
    .string()
    .trim()
    .max(20_000)
    .refine((json) => json === "" || isJsonObject(json), "Invalid JSON")
    .optional(),
  language: z.enum(integrationLanguages).default("pt-BR"),
  urlN8N: z.union([z.literal(""), webAddress]).default(""),
  typebotSlug: z.string().trim().max(200).default(""),
  typebotDelayMessage: z.coerce.number().int().min(0).max(60_000).default(typebotDefaults.delayMessage),
  typebotExpires: z.coerce.number().int().min(0).max(10_080).default(typebotDefaults.expires),
  typebotKeywordFinish: keyword,
  typebotKeywordRestart: keyword,
  typebotRestartMessage: text,
  typebotUnknownMessage: text,
});

/** Required fields that are empty: n8n, webhook and typebot need a URL, typebot also a slug. */
export function missingFields(of: {
  readonly type: IntegrationType;
  readonly urlN8N: string;
  readonly typebotSlug: string;
}): readonly ("urlN8N" | "typebotSlug")[] {
  const needed = { dialogflow: [], n8n: ["urlN8N"], webhook: ["urlN8N"], typebot: ["urlN8N", "typebotSlug"] } as const;
  return needed[of.type].filter((name) => of[name] === "");
}

export const queueIntegrationBody = fields.superRefine((body, context) => {
  missingFields(body).forEach((name) => context.addIssue({ code: "custom", path: [name], message: "Required" }));
});
export type QueueIntegrationBody = z.output<typeof queueIntegrationBody>;

/** Required fields are checked together with the stored record. */
export const queueIntegrationChanges = changesOf(fields);
export type QueueIntegrationChanges = z.output<typeof queueIntegrationChanges>;

/** Those that are called by a signed POST of ours. */
export const signedTypes: readonly IntegrationType[] = ["n8n", "webhook"];

/** Shown when it is made: what signs the calls; null of types that have none, and where it was made before. */
const withSecret = queueIntegration.extend({ secret: z.string().nullable() });

/**
 * What is tried: a stored integration by its id, or these fields as somebody typed them. By the specification it is a Dialogflow agent,
 * by project, account and language.
 */
export const integrationTest = z.object({
  /** A stored integration, with the fields of its record. */
  id: id.optional(),
  projectName: z.string().trim().max(100).default(""),
  location,
  jsonContent: z
    .string()
    .trim()
    .max(20_000)
    .refine((json) => json === "" || isJsonObject(json), "Invalid JSON")
    .default(""),
  language: z.union([z.literal("").transform(() => "pt-BR" as const), z.enum(integrationLanguages)]).default("pt-BR"),
  /** What the customer says. */
  text: z.string().trim().max(1_000).default("Olá"),
  /** Of the test's answer before, to go on where it was. */
  session: z.string().max(40_000).nullish(),
});
export type IntegrationTest = z.output<typeof integrationTest>;

export const integrationTestAnswer = z.object({
  messages: z.array(z.object({ text: z.string(), mediaUrl: z.string().nullable() })),
  /** What becomes of the conversation: it goes on, waits for a person, or is resolved. */
  outcome: z.enum(["goesOn", "handsOver", "closes"]),
  queueId: z.number().int().nullable(),
  userId: z.number().int().nullable(),
  session: z.string().nullable(),
});
export type IntegrationTestAnswer = z.output<typeof integrationTestAnswer>;

/** A call of the log: what one turn of a customer was answered. */
export const integrationCall = z.object({
  id: z.number().int(),
  integrationId: z.number().int(),
  /** The header webhook-id: the same in each attempt and in a replay. */
  deliveryId: z.string(),
  ticketId: z.number().int(),
  state: z.enum(["waiting", "delivered", "failed"]),
  attempts: z.number().int(),
  /** HTTP status of the last answer; null: there was none. */
  status: z.number().int().nullable(),
  error: z.string().nullable(),
  /** The beginning of the last answer. */
  answer: z.string().nullable(),
  durationMs: z.number().int().nullable(),
  createdAt: instant,
});
export type IntegrationCall = z.output<typeof integrationCall>;

const forAdmins = { access: { who: "admin", plan: "useIntegrations" } } as const;

export const queueIntegrations = {
  list: endpoint({
    method: "GET",
    path: "/queueIntegration",
    summary: "Queue integrations, a page at a time, by name: where each is used, when it last worked, and what fails",
    ...forAdmins,
    query: z.object({ searchParam, pageNumber }),
    response: paged("queueIntegrations", listedIntegration),
  }),
  lookup: endpoint({
    method: "GET",
    path: "/queueIntegration/list",
    summary: "Every queue integration, for a picker",
    ...forAdmins,
    response: z.array(queueIntegration.pick({ id: true, name: true, type: true })),
  }),
  get: endpoint({
    method: "GET",
    path: "/queueIntegration/:id",
    summary: "One queue integration",
    ...forAdmins,
    params: idParams,
    response: queueIntegration,
  }),
  create: endpoint({
    method: "POST",
    path: "/queueIntegration",
    summary: "Add a queue integration; only this answer shows the secret that signs its calls",
    ...forAdmins,
    body: queueIntegrationBody,
    response: withSecret,
  }),
  update: endpoint({
    method: "PUT",
    path: "/queueIntegration/:id",
    summary:
      "Change a queue integration; a service account that is not named stays; one that becomes n8n or webhook is given its secret, which only this answer shows",
    ...forAdmins,
    params: idParams,
    body: queueIntegrationChanges,
    response: withSecret,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/queueIntegration/:id",
    summary: "Delete a queue integration; queues and connections that chose it have none",
    ...forAdmins,
    params: idParams,
    response: done,
  }),
  renewSecret: endpoint({
    method: "POST",
    path: "/queueIntegration/:id/secret",
    summary: "Give a queue integration a new secret; the old one signs nothing from then on",
    ...forAdmins,
    params: idParams,
    response: withSecret,
  }),
  test: endpoint({
    method: "POST",
    path: "/queueIntegration/testSession",
    summary: "Say something to a queue integration as a customer would; nobody else hears it",
    ...forAdmins,
    body: integrationTest,
    response: integrationTestAnswer,
    isSlow: true,
  }),
  calls: endpoint({
    method: "GET",
    path: "/queueIntegration/:id/calls",
    summary: "The calls of a queue integration in the last 30 days, the newest first, a page at a time",
    ...forAdmins,
    params: idParams,
    query: z.object({ pageNumber }),
    response: z.object({ calls: z.array(integrationCall), hasMore: z.boolean() }),
  }),
  replay: endpoint({
    method: "POST",
    path: "/queueIntegration/:id/calls/:callId/replay",
    summary:
      "Send a call of an n8n or webhook integration again, under the same webhook-id; the customer hears nothing of it",
    ...forAdmins,
    params: z.object({ id, callId: id }),
    response: integrationCall,
    isSlow: true,
  }),
} as const;

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
