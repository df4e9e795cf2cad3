import { webhookEvents } from "@prosa/contract";
import type { ConnectionFacts, Contact, Message, Ticket, WebhookEventType } from "@prosa/contract";
import { z } from "zod";
import { findConnectionFacts } from "#server/features/connections/index.ts";
import { readContactViews } from "#server/features/contacts/index.ts";
import { readMessageViews } from "#server/features/messages/index.ts";
import { readTicketViews, signViewMediaUrls } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import type { QueuedEvent } from "./deliver.queries.ts";

/** What an endpoint is sent: the body of Standard Webhooks. */
export function bodyOf(type: WebhookEventType, at: Date, data: unknown): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}

/** An event as endpoints know it. */
export interface OutgoingEvent {
  readonly webhookId: string;
  readonly type: WebhookEventType;
  /** What is delivered in order. */
  readonly subject: string;
  readonly body: string;
}

const payload = z.object({
  ticketId: z.number().int().optional(),
  messageId: z.number().int().optional(),
  contactId: z.number().int().optional(),
  connectionId: z.number().int().optional(),
  from: z.unknown().optional(),
});
type Ids = z.output<typeof payload>;

interface Records {
  readonly messages: ReadonlyMap<number, Message>;
  readonly tickets: ReadonlyMap<number, Ticket>;
  readonly contacts: ReadonlyMap<number, Contact>;
  readonly connections: ReadonlyMap<number, ConnectionFacts>;
}

/** The events with their records as they are now, each noun read once. What was deleted since is named by its id alone. */
export async function outgoingEventsOf(
  ctx: Ctx,
  media: MediaLinks,
  events: readonly QueuedEvent[],
): Promise<OutgoingEvent[]> {
  const named = events.map((event) => ({ event, ids: payload.parse(event.payload) }));
  const records = await readRecords(
    ctx,
    media,
    named.map(({ ids }) => ids),
  );
  return named.flatMap(({ event, ids }) => {
    const type = typeOf(event.type, ids);
    const subject = subjectOf(ids);
    return type && subject !== undefined
      ? { webhookId: event.webhookId, type, subject, body: bodyOf(type, event.at, dataOf(type, ids, records)) }
      : [];
  });
}

/** The public name of an event of the log. */
function typeOf(type: string, { from }: Ids): WebhookEventType | undefined {
  if (type === "ticket.updated") {
    return from === null ? "ticket.created" : "ticket.updated";
  }
  if (type === "connection.created" || type === "connection.state") {
    return "connection.updated";
  }
  return type in webhookEvents ? (type as WebhookEventType) : undefined;
}

function subjectOf({ ticketId, contactId, connectionId }: Ids): string | undefined {
  if (ticketId !== undefined) {
    return `ticket:${ticketId}`;
  }
  if (contactId !== undefined) {
    return `contact:${contactId}`;
  }
  return connectionId === undefined ? undefined : `connection:${connectionId}`;
}

function dataOf(type: WebhookEventType, ids: Ids, records: Records): object {
  const { ticketId = 0, messageId = 0, contactId = 0, connectionId = 0 } = ids;
  switch (type) {
    case "message.created":
    case "message.updated":
      return { ticketId, messageId, message: records.messages.get(messageId) };
    case "ticket.created":
    case "ticket.updated":
      return { ticketId, ticket: records.tickets.get(ticketId) };
    case "contact.created":
    case "contact.updated":
      return { contactId, contact: records.contacts.get(contactId) };
    case "connection.updated":
      return { connectionId, connection: records.connections.get(connectionId) };
    case "ticket.deleted":
      return { ticketId };
    case "contact.deleted":
      return { contactId };
    case "connection.deleted":
      return { connectionId };
    case "webhook.test":
      return {};
  }
}

async function readRecords(ctx: Ctx, media: MediaLinks, all: readonly Ids[]): Promise<Records> {
  const idsOf = (pick: (ids: Ids) => number | undefined) => [
    ...new Set(all.map(pick).filter((id) => id !== undefined)),
  ];
  const messageIds = idsOf(({ messageId }) => messageId);
  const ticketIds = idsOf(({ ticketId, messageId }) => (messageId === undefined ? ticketId : undefined));
  const contactIds = idsOf(({ contactId }) => contactId);
  const connectionIds = idsOf(({ connectionId }) => connectionId);
  const none = Promise.resolve([]);
  const [messages, tickets, contacts, connections] = [
    await (messageIds.length > 0 ? readMessageViews(ctx, messageIds) : none),
    await (ticketIds.length > 0 ? readTicketViews(ctx, ticketIds) : none),
    await (contactIds.length > 0 ? readContactViews(ctx, media, contactIds) : none),
    await (connectionIds.length > 0 ? findConnectionFacts(ctx, connectionIds) : none),
  ];
  const signed = <T extends object>(view: T): T => signViewMediaUrls(media, ctx.companyId, view);
  return {
    messages: byId(messages.map(signed)),
    tickets: byId(tickets.map(signed)),
    contacts: byId(contacts),
    connections: byId(connections),
  };
}

function byId<T extends { readonly id: number }>(records: readonly T[]): ReadonlyMap<number, T> {
  return new Map(records.map((record) => [record.id, record]));
}
