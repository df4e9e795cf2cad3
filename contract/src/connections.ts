import { z } from "zod";
import { changesOf, done, id, idParams, instant } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** Specification 2 section 4. */
export const connectionStatuses = ["qrcode", "PAIRING", "OPENING", "CONNECTED", "TIMEOUT", "DISCONNECTED"] as const;
export type ConnectionStatus = (typeof connectionStatuses)[number];

/** States that put the "!" badge on the menu entry (specification 1 section 2). */
export const troubledStatuses: readonly ConnectionStatus[] = [
  "qrcode",
  "PAIRING",
  "DISCONNECTED",
  "TIMEOUT",
  "OPENING",
];

/** `beta` is WhatsApp through Baileys; `simulator` is the same driver on our own protocol server. */
export const providers = ["beta", "simulator"] as const;
export type Provider = (typeof providers)[number];

/** Why a line is not connected, in neutral words; the words for people are in i18n. */
export const lineReasons = [
  "replaced",
  "loggedOut",
  "banned",
  "versionRefused",
  "badSession",
  "notScanned",
  "network",
  "stopped",
  "limited",
  "otherNumber",
] as const;
export type LineReason = (typeof lineReasons)[number];

/** Defaults of specification 1 section 9. */
export const connectionDefaults = {
  provider: "beta",
  maxUseBotQueues: 3,
  timeUseBotQueues: 0,
  expiresTicket: 0,
  timeToTransfer: 0,
} as const;

const text = z.string().max(4000).default("");
const minutes = z.coerce.number().int().min(0).max(100_000);

export const connectionQueue = z.object({ id: z.number().int(), name: z.string(), color: z.string() });

export const connection = z.object({
  id: z.number().int(),
  name: z.string(),
  status: z.enum(connectionStatuses),
  reason: z.enum(lineReasons).nullable(),
  /** The text of the QR to draw; empty when there is none. */
  qrcode: z.string(),
  /** The eight-letter code for linking by phone number; empty when none was asked. */
  pairingCode: z.string(),
  /** Until when that code can be typed on the phone. */
  pairingExpiresAt: instant.nullable(),
  /** The line's own number once linked. */
  number: z.string().nullable(),
  /** Another number was linked than the line had before; an admin says whether the line goes on with it. */
  pendingNumber: z.string().nullable(),
  isDefault: z.boolean(),
  provider: z.enum(providers),
  retries: z.number().int(),
  greetingMessage: z.string(),
  complationMessage: z.string(),
  outOfHoursMessage: z.string(),
  ratingMessage: z.string(),
  /** Whether an API token is set; the token itself is shown once, when made. */
  hasToken: z.boolean(),
  token: z.string().optional(),
  promptId: z.number().int().nullable(),
  integrationId: z.number().int().nullable(),
  transferQueueId: z.number().int().nullable(),
  timeToTransfer: z.number().int(),
  expiresTicket: z.number().int(),
  expiresInactiveMessage: z.string(),
  maxUseBotQueues: z.number().int(),
  timeUseBotQueues: z.number().int(),
  language: z.enum(["pt", "en", "es"]),
  queues: z.array(connectionQueue),
  updatedAt: instant,
});
export type Connection = z.output<typeof connection>;

export const connectionBody = z.object({
  name: z.string().trim().min(2, "Too Short!").max(50, "Too Long!"),
  isDefault: z.boolean().default(false),
  provider: z.enum(providers).default(connectionDefaults.provider),
  greetingMessage: text,
  complationMessage: text,
  outOfHoursMessage: text,
  ratingMessage: text,
  /** A new API token (absent: unchanged; empty: removed). */
  token: z.string().max(200).optional(),
  promptId: id.nullable().default(null),
  integrationId: id.nullable().default(null),
  transferQueueId: id.nullable().default(null),
  timeToTransfer: minutes.default(connectionDefaults.timeToTransfer),
  expiresTicket: minutes.default(connectionDefaults.expiresTicket),
  expiresInactiveMessage: text,
  maxUseBotQueues: z.coerce.number().int().min(0).max(100).default(connectionDefaults.maxUseBotQueues),
  timeUseBotQueues: minutes.default(connectionDefaults.timeUseBotQueues),
  language: z.enum(["pt", "en", "es"]).default("pt"),
  queueIds: z.array(id).max(200).default([]),
});
export type ConnectionBody = z.output<typeof connectionBody>;

/** One line of a connection's own log: what happened and why, for the admin. */
export const lineLogEntry = z.object({ at: instant, event: z.string(), detail: z.string().nullable() });
export type LineLogEntry = z.infer<typeof lineLogEntry>;

/** A client version that WhatsApp does not let in any more: all lines wait, one tries at growing intervals. */
export const refusedVersion = z.object({
  version: z.string(),
  since: instant,
  /** Logins that were tried with it, by one line each. */
  tries: z.number().int(),
  nextTryAt: instant,
});
export type RefusedVersion = z.output<typeof refusedVersion>;

export const connections = {
  list: endpoint({
    method: "GET",
    path: "/whatsapp",
    summary: "Connections of the company",
    access: { who: "session" },
    query: z.object({ session: z.string().optional(), companyId: z.string().optional() }),
    response: z.array(connection),
  }),
  get: endpoint({
    method: "GET",
    path: "/whatsapp/:id",
    summary: "One connection",
    access: { who: "session" },
    params: idParams,
    query: z.object({ session: z.string().optional() }),
    response: connection,
  }),
  create: endpoint({
    method: "POST",
    path: "/whatsapp",
    summary: "Add a connection",
    access: { who: "session", rule: "connections-page:addConnection" },
    body: connectionBody,
    response: connection,
  }),
  update: endpoint({
    method: "PUT",
    path: "/whatsapp/:id",
    summary: "Change a connection",
    access: { who: "session", rule: "connections-page:editOrDeleteConnection" },
    params: idParams,
    body: changesOf(connectionBody),
    response: connection,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/whatsapp/:id",
    summary: "Delete a connection; its conversations stay",
    access: { who: "session", rule: "connections-page:editOrDeleteConnection" },
    params: idParams,
    response: done,
  }),
  start: endpoint({
    method: "POST",
    path: "/whatsappsession/:id",
    summary: "Try again to connect",
    access: { who: "session", rule: "connections-page:actionButtons" },
    params: idParams,
    body: z.object({ number: z.string().max(30).optional() }).default({}),
    response: done,
  }),
  renew: endpoint({
    method: "PUT",
    path: "/whatsappsession/:id",
    summary: "Forget the credentials and ask for a new QR (or a pairing code when a number is given)",
    access: { who: "session", rule: "connections-page:actionButtons" },
    params: idParams,
    body: z.object({ number: z.string().max(30).optional() }).default({}),
    response: done,
  }),
  stop: endpoint({
    method: "DELETE",
    path: "/whatsappsession/:id",
    summary: "Disconnect and log the line out",
    access: { who: "session", rule: "connections-page:actionButtons" },
    params: idParams,
    response: done,
  }),
  number: endpoint({
    method: "POST",
    path: "/whatsappsession/:id/number",
    summary: "Go on with the other number that was linked, or unlink it",
    access: { who: "session", rule: "connections-page:actionButtons" },
    params: idParams,
    body: z.object({ accept: z.boolean() }),
    response: done,
  }),
  log: endpoint({
    method: "GET",
    path: "/whatsapp/:id/log",
    summary: "What happened on this line lately",
    access: { who: "session", rule: "connections-page:actionButtons" },
    params: idParams,
    response: z.array(lineLogEntry),
  }),
  refusedVersions: endpoint({
    method: "GET",
    path: "/refused-versions",
    summary: "Client versions that WhatsApp refuses to the lines of the installation",
    access: { who: "super" },
    response: z.array(refusedVersion),
  }),
} as const;
