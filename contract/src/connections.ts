import { z } from "zod";
import { changesOf, done, id, idParams, instant, newToken } from "./common.ts";
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

/** Reason codes of a line that is not connected; their texts are in i18n. */
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
  "sameNumber",
  "codeRefused",
  "lostSecret",
] as const;
export type LineReason = (typeof lineReasons)[number];

/** Why the provider keeps a line from starting conversations, where it says so. `linkedDevices`: on linked devices alone. */
export const limitCauses = ["quality", "policy", "linkedDevices"] as const;
export type LimitCause = (typeof limitCauses)[number];

/** How much of the allowance of new conversations is used; `capped`: all of it. */
export const quotaLevels = ["none", "warning1", "warning2", "capped"] as const;
export type QuotaLevel = (typeof quotaLevels)[number];

/** What happened to a line that says something about its health (P-04). */
export const lineSignalKinds = [
  "timeLock",
  "timeLockEnded",
  "quotaWarning",
  "capped",
  "capEnded",
  "refused",
  "failedSend",
  "disconnected",
  "banned",
] as const;
export type LineSignalKind = (typeof lineSignalKinds)[number];

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

/**
 * How freely a line may start conversations (P-04). `limited`: not until `until`, answers to people who wrote go on;
 * `warned`: the allowance of new conversations is nearly used; `blocked`: the provider has banned the number.
 */
export const connectionHealth = z.object({
  state: z.enum(["good", "warned", "limited", "blocked"]),
  /** The end of what `state` says, where it has one. */
  until: instant.nullable(),
  /** Why; null where the provider does not say. `capped`: the allowance of this cycle is used up. */
  cause: z.enum([...limitCauses, "capped", "banned"]).nullable(),
  /** The allowance of new conversations, where the provider has announced one. */
  quota: z
    .object({
      level: z.enum(quotaLevels),
      used: z.number().int().nullable(),
      total: z.number().int().nullable(),
      /** The end of the cycle. */
      until: instant.nullable(),
    })
    .nullable(),
});
export type ConnectionHealth = z.output<typeof connectionHealth>;

/** The health at a later time, without asking again: what has ended is over. */
export function healthAt(health: ConnectionHealth, now: Date): ConnectionHealth {
  const isOver = (until: string | null) => until !== null && new Date(until) <= now;
  const quota = health.quota && !isOver(health.quota.until) ? health.quota : null;
  if (health.state === "blocked" || !isOver(health.until)) {
    return { ...health, quota };
  }
  return quota && quota.level !== "none"
    ? { state: "warned", cause: null, until: quota.until, quota }
    : { state: "good", cause: null, until: null, quota };
}

export const connection = z.object({
  id: z.number().int(),
  name: z.string(),
  status: z.enum(connectionStatuses),
  reason: z.enum(lineReasons).nullable(),
  /** Content of the QR code; empty when there is none. */
  qrcode: z.string(),
  /** Eight-character pairing code for linking by phone number; empty when none was requested. */
  pairingCode: z.string(),
  /** Expiry of the pairing code. */
  pairingExpiresAt: instant.nullable(),
  /** Phone number of the line once it is linked. */
  number: z.string().nullable(),
  /** A phone with another number was linked; an admin decides whether the line uses it. */
  pendingNumber: z.string().nullable(),
  /** Name of the connection that has the number which was linked to this one (reason `sameNumber`), while there is one. */
  numberHolder: z.string().nullable(),
  isDefault: z.boolean(),
  provider: z.enum(providers),
  retries: z.number().int(),
  greetingMessage: z.string(),
  complationMessage: z.string(),
  outOfHoursMessage: z.string(),
  ratingMessage: z.string(),
  /** Whether an API token is set; the token itself is shown only when it is created. */
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
  health: connectionHealth,
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
  token: newToken,
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

/** Entry of the line log, for admins. */
export const lineLogEntry = z.object({ at: instant, event: z.string(), detail: z.string().nullable() });
export type LineLogEntry = z.infer<typeof lineLogEntry>;

/** Sums of a day in the company's time zone. */
export const lineDay = z.object({
  day: z.string(),
  /** Conversations that the line started. */
  started: z.number().int(),
  /** Messages that the provider refused for good. */
  refused: z.number().int(),
  /** Messages that were given up for another reason. */
  failed: z.number().int(),
  /** Disconnections that nobody asked for. */
  disconnected: z.number().int(),
});
export type LineDay = z.output<typeof lineDay>;

/** `detail`: the cause of a lock, "80/100" of a quota, the reason of a failure or a disconnection. */
export const lineSignal = z.object({
  at: instant,
  kind: z.enum(lineSignalKinds),
  detail: z.string().nullable(),
});
export type LineSignal = z.output<typeof lineSignal>;

/** The last 30 days, oldest first, and the last 50 signals, newest first. */
export const lineHealth = z.object({ days: z.array(lineDay), signals: z.array(lineSignal) });
export type LineHealth = z.output<typeof lineHealth>;

/** A client version that WhatsApp refuses: all lines wait while one retries at growing intervals. */
export const refusedVersion = z.object({
  version: z.string(),
  since: instant,
  /** Number of login attempts with it. */
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
  health: endpoint({
    method: "GET",
    path: "/whatsapp/:id/health",
    summary: "Refusals, failures and limits of this line in the last 30 days",
    access: { who: "session", rule: "connections-page:actionButtons" },
    params: idParams,
    response: lineHealth,
  }),
  refusedVersions: endpoint({
    method: "GET",
    path: "/refused-versions",
    summary: "Client versions that WhatsApp refuses to the lines of the installation",
    access: { who: "super" },
    response: z.array(refusedVersion),
  }),
} as const;
