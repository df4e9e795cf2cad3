import { z } from "zod";
import { changesOf, done, id, idParams, instant, paged, pageNumber, webAddress } from "./common.ts";
import { connectionStatuses } from "./connections.ts";
import { contact } from "./contacts.ts";
import { endpoint } from "./endpoint.ts";
import { message } from "./messages.ts";
import { ticket } from "./tickets.ts";

/** Outgoing webhooks (V-06), by the Standard Webhooks specification. */
export const webhookRules = {
  maxEndpoints: 100,
  /** Waits before the second attempt and each after it, in seconds: about three days in all. */
  retrySeconds: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  /** An endpoint that has only failed for so long is switched off. */
  switchOffAfterMs: 3 * 86_400_000,
  /** An endpoint has so long to answer. */
  timeoutMs: 15_000,
  /** Deliveries are kept so many days, and can be replayed as long. */
  keptDays: 30,
  maxUrl: 2_000,
} as const;

/** Those that an endpoint may ask for; a test comes to each. */
export const webhookEventTypes = [
  "message.created",
  "message.updated",
  "ticket.created",
  "ticket.updated",
  "ticket.deleted",
  "contact.created",
  "contact.updated",
  "contact.deleted",
  "connection.updated",
  "connection.deleted",
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number] | "webhook.test";

const noun = z.object({ id: z.number().int() });
const connectionFacts = z.object({
  id: z.number().int(),
  name: z.string(),
  status: z.enum(connectionStatuses),
  number: z.string().nullable(),
  isDefault: z.boolean(),
});
export type ConnectionFacts = z.output<typeof connectionFacts>;

/** The events, and what each says. A record that is gone by the time of the delivery is left out: its id is always there. */
export const webhookEvents = {
  "message.created": {
    summary: "A message was received, sent here, or sent from the phone",
    data: z.object({ ticketId: z.number().int(), messageId: z.number().int(), message: message.optional() }),
  },
  "message.updated": {
    summary: "State of delivery, text, reactions or file of a message changed",
    data: z.object({ ticketId: z.number().int(), messageId: z.number().int(), message: message.optional() }),
  },
  "ticket.created": {
    summary: "A conversation that was not there before",
    data: z.object({ ticketId: z.number().int(), ticket: ticket.optional() }),
  },
  "ticket.updated": {
    summary: "State, queue, agent or tags of a conversation changed",
    data: z.object({ ticketId: z.number().int(), ticket: ticket.optional() }),
  },
  "ticket.deleted": { summary: "A conversation was deleted", data: z.object({ ticketId: z.number().int() }) },
  "contact.created": {
    summary: "A contact was added, by a person or a first message",
    data: z.object({ contactId: z.number().int(), contact: contact.optional() }),
  },
  "contact.updated": {
    summary: "A contact changed",
    data: z.object({ contactId: z.number().int(), contact: contact.optional() }),
  },
  "contact.deleted": { summary: "A contact was deleted", data: z.object({ contactId: z.number().int() }) },
  "connection.updated": {
    summary: "A connection was added or changed, or its line connected or disconnected",
    data: z.object({ connectionId: z.number().int(), connection: connectionFacts.optional() }),
  },
  "connection.deleted": { summary: "A connection was deleted", data: z.object({ connectionId: z.number().int() }) },
  "webhook.test": { summary: "The button Test was pressed", data: z.object({ message: z.string() }) },
} as const satisfies Readonly<Record<WebhookEventType, { readonly summary: string; readonly data: z.ZodObject }>>;

const eventType = z.enum(webhookEventTypes);

export const webhook = noun.extend({
  url: z.string(),
  description: z.string(),
  events: z.array(z.string()),
  isActive: z.boolean(),
  /** Why it is off, if no person switched it off: it failed for days, or said that it is gone (410). */
  switchedOff: z.enum(["failing", "gone"]).nullable(),
  /** Since when each delivery fails; null: the last one arrived. */
  failingSince: instant.nullable(),
  createdAt: instant,
});
export type Webhook = z.output<typeof webhook>;

/** Shown when it is made: what signs the deliveries. */
const withSecret = webhook.extend({ secret: z.string() });

export const webhookBody = z.object({
  url: webAddress,
  description: z.string().trim().max(100, "Too Long!").default(""),
  events: z.array(eventType).min(1, "Required").max(webhookEventTypes.length),
  isActive: z.boolean().default(true),
});
export type WebhookBody = z.output<typeof webhookBody>;

/** Absent fields stay unchanged. */
const webhookChanges = changesOf(webhookBody);
export type WebhookChanges = z.output<typeof webhookChanges>;

export const deliveryStates = ["waiting", "delivered", "failed"] as const;

export const webhookDelivery = noun.extend({
  /** The header webhook-id: the same in each attempt and in a replay. */
  webhookId: z.string(),
  type: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number().int(),
  nextAttemptAt: instant.nullable(),
  /** HTTP status of the last answer; null: there was none. */
  status: z.number().int().nullable(),
  error: z.string().nullable(),
  /** The beginning of the last answer. */
  answer: z.string().nullable(),
  durationMs: z.number().int().nullable(),
  createdAt: instant,
  deliveredAt: instant.nullable(),
});
export type WebhookDelivery = z.output<typeof webhookDelivery>;

const forAdmins = { access: { who: "admin", plan: "useExternalApi" } } as const;
const ofDelivery = z.object({ id, deliveryId: id });

export const webhooks = {
  list: endpoint({
    method: "GET",
    path: "/webhooks",
    summary: "The company's webhook endpoints, a page at a time",
    ...forAdmins,
    query: z.object({ pageNumber }),
    response: paged("webhooks", webhook),
  }),
  get: endpoint({
    method: "GET",
    path: "/webhooks/:id",
    summary: "One webhook endpoint",
    ...forAdmins,
    params: idParams,
    response: webhook,
  }),
  create: endpoint({
    method: "POST",
    path: "/webhooks",
    summary: "Add a webhook endpoint; only this answer shows its secret",
    ...forAdmins,
    body: webhookBody,
    response: withSecret,
  }),
  update: endpoint({
    method: "PUT",
    path: "/webhooks/:id",
    summary: "Change a webhook endpoint; switched on again, it gets what happens from then on",
    ...forAdmins,
    params: idParams,
    body: webhookChanges,
    response: webhook,
  }),
  renewSecret: endpoint({
    method: "POST",
    path: "/webhooks/:id/secret",
    summary: "Give a webhook endpoint a new secret; the old one signs nothing from then on",
    ...forAdmins,
    params: idParams,
    response: withSecret,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/webhooks/:id",
    summary: "Delete a webhook endpoint with its deliveries",
    ...forAdmins,
    params: idParams,
    response: done,
  }),
  test: endpoint({
    method: "POST",
    path: "/webhooks/:id/test",
    summary: "Send an event webhook.test to a webhook endpoint",
    ...forAdmins,
    params: idParams,
    response: webhookDelivery,
  }),
  deliveries: endpoint({
    method: "GET",
    path: "/webhooks/:id/deliveries",
    summary: "What was sent to a webhook endpoint in the last 30 days, the newest first, a page at a time",
    ...forAdmins,
    params: idParams,
    query: z.object({ pageNumber, state: z.enum(["", ...deliveryStates]).default("") }),
    response: paged("deliveries", webhookDelivery),
  }),
  replay: endpoint({
    method: "POST",
    path: "/webhooks/:id/deliveries/:deliveryId/replay",
    summary: "Send a delivery again, under the same webhook-id",
    ...forAdmins,
    params: ofDelivery,
    response: webhookDelivery,
  }),
} as const;
