import { z } from "zod";
import {
  booleanText,
  dayOrNone,
  done,
  id,
  idOrNone,
  idParams,
  instant,
  jsonArray,
  pageNumber,
  paged,
  searchParam,
} from "./common.ts";
import { contact, contactSummary } from "./contacts.ts";
import { endpoint } from "./endpoint.ts";
import { noteBody } from "./notes.ts";
import { product } from "./products.ts";
import { waitLimits } from "./queues.ts";
import { tag } from "./tags.ts";
import { colleague } from "./users.ts";

export const ticketStatuses = ["pending", "open", "closed"] as const;
export type TicketStatus = (typeof ticketStatuses)[number];

const named = z.object({ id: z.number().int(), name: z.string() });
/** With its limits of waiting time, so that a row can be coloured without another call. */
const queueOfTicket = named.extend({ color: z.string(), ...waitLimits.shape });

/** Who of the company wrote a message. */
export const messageAuthor = z.discriminatedUnion("kind", [
  /** The product: the bot, a greeting, a notice. */
  z.object({ kind: z.literal("bot") }),
  z.object({ kind: z.literal("campaign") }),
  /** An agent; null where the account was deleted since. */
  z.object({ kind: z.literal("user"), user: named.nullable() }),
  /** Somebody on the paired phone, or on another device of the line. */
  z.object({ kind: z.literal("phone") }),
]);
export type MessageAuthor = z.output<typeof messageAuthor>;

export const ticket = z.object({
  id: z.number().int(),
  uuid: z.uuid(),
  status: z.enum(ticketStatuses),
  userId: z.number().int().nullable(),
  user: named.nullable(),
  queueId: z.number().int().nullable(),
  queue: queueOfTicket.nullable(),
  contactId: z.number().int(),
  /** `extraInfo` where one ticket is read by its id or uuid; lists and events leave it out. */
  contact: contactSummary.extend({ extraInfo: contact.shape.extraInfo.optional() }),
  whatsappId: z.number().int().nullable(),
  whatsapp: named.nullable(),
  tags: z.array(tag),
  products: z.array(product),
  chatbot: z.boolean(),
  isGroup: z.boolean(),
  lastMessage: z.string(),
  /** Media type of the last message, for the icon in the list. */
  lastMessageType: z.string(),
  lastMessageFromMe: z.boolean(),
  /** Null where the contact wrote the last message, or nobody has written yet. */
  lastMessageAuthor: messageAuthor.nullable(),
  /** The last message is ours and was not delivered; retrying it clears this. */
  lastMessageFailed: z.boolean(),
  lastMessageAt: instant.nullable(),
  /**
   * The contact's first word that no person has answered; or, where there is none, when the ticket came (back) to a queue.
   * Null: nobody waits. The bot and automatic messages are no answer, a reply from the phone is.
   */
  waitingSince: instant.nullable(),
  unreadMessages: z.number().int(),
  useIntegration: z.boolean(),
  integrationId: z.number().int().nullable(),
  promptId: z.number().int().nullable(),
  /** Protocol of the current or last episode: yyyyMMddHHmmss of its start + ticket id (behaviour 4). */
  protocol: z.string(),
  createdAt: instant,
  updatedAt: instant,
  /** Incremented by every change, so that an older view never overwrites a newer one. */
  version: z.number().int(),
});
export type Ticket = z.output<typeof ticket>;

/** One episode of service of a ticket (behaviour 4). */
export const episode = z.object({
  id: z.number().int(),
  ticketId: z.number().int(),
  protocol: z.string(),
  queuedAt: instant,
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
  user: named.nullable(),
  queue: queueOfTicket.nullable(),
  rating: z.number().int().nullable(),
});
export type Episode = z.output<typeof episode>;

/** The newest message that matches a search, within the range that the search read. */
export const foundMessage = z.object({
  ticketId: z.number().int(),
  messageId: z.number().int(),
  /** Null where the contact wrote it. */
  author: messageAuthor.nullable(),
  /** Excerpt of the message, alternating unmatched and matched text: highlight every second part. */
  snippet: z.array(z.string()),
});
export type FoundMessage = z.output<typeof foundMessage>;

/**
 * A page of tickets. With a search, `found` is the matching message; a ticket that matches by contact name has none.
 * `countIsLowerBound`: the search stopped before it knew all matches.
 */
export const ticketPage = paged("tickets", ticket).extend({
  found: z.array(foundMessage).optional(),
  countIsLowerBound: z.boolean().optional(),
});

/** `waiting`: who waits longest first, then those who do not wait, newest word first. */
export const ticketOrders = ["newest", "waiting"] as const;
export type TicketOrder = (typeof ticketOrders)[number];

export const ticketFilter = z.object({
  pageNumber,
  searchParam,
  status: z.enum(["", ...ticketStatuses]).default(""),
  showAll: booleanText,
  tags: jsonArray(id),
  users: jsonArray(id),
  queueIds: jsonArray(idOrNone),
  date: dayOrNone,
  updatedAt: dayOrNone,
  withUnreadMessages: booleanText,
  order: z.enum(ticketOrders).default("newest"),
});
export type TicketFilter = z.output<typeof ticketFilter>;

export const ticketCounts = z.object({ open: z.number().int(), pending: z.number().int() });

/** A user to whom a ticket may be transferred. */
export const transferTarget = colleague.extend({
  /** Their open tickets that the caller may see; null of a user of other queues, of whom the caller sees none. */
  openTickets: z.number().int().nullable(),
});
export type TransferTarget = z.output<typeof transferTarget>;

export const tickets = {
  list: endpoint({
    method: "GET",
    path: "/tickets",
    summary: "Tickets that the user may see, newest word first unless another order is named",
    access: { who: "session" },
    query: ticketFilter,
    response: ticketPage,
  }),
  counts: endpoint({
    method: "GET",
    path: "/tickets/counts",
    summary: "How many tickets each tab holds",
    access: { who: "session" },
    query: z.object({ showAll: booleanText, queueIds: jsonArray(idOrNone) }),
    response: ticketCounts,
  }),
  transferTargets: endpoint({
    method: "GET",
    path: "/tickets/transfer-targets",
    summary: "Everybody of the company, with presence and the number of open tickets, to choose whom a ticket goes to",
    access: { who: "session" },
    response: z.array(transferTarget),
  }),
  get: endpoint({
    method: "GET",
    path: "/tickets/:id",
    summary: "One ticket",
    access: { who: "session" },
    params: idParams,
    response: ticket,
  }),
  byUuid: endpoint({
    method: "GET",
    path: "/tickets/u/:uuid",
    summary: "One ticket, by its public id",
    access: { who: "session" },
    params: z.object({ uuid: z.uuid() }),
    response: ticket,
  }),
  episodes: endpoint({
    method: "GET",
    path: "/tickets/:id/episodes",
    summary: "Every time this ticket was served, newest first",
    access: { who: "session" },
    params: idParams,
    response: z.array(episode),
  }),
  create: endpoint({
    method: "POST",
    path: "/tickets",
    summary: "Open a ticket for a contact",
    access: { who: "session" },
    body: z.object({
      contactId: id,
      queueId: id.nullable().optional(),
      whatsappId: id.nullable().optional(),
      userId: id.nullable().optional(),
      status: z.enum(["open", "pending"]).default("open"),
    }),
    response: ticket,
  }),
  /** Accept, return, resolve, reopen and transfer, distinguished by the changed fields (specification 1 section 4). */
  update: endpoint({
    method: "PUT",
    path: "/tickets/:id",
    summary: "Accept, return, resolve, reopen or transfer",
    access: { who: "session" },
    params: idParams,
    body: z.object({
      status: z.enum(ticketStatuses).optional(),
      userId: id.nullable().optional(),
      queueId: id.nullable().optional(),
      whatsappId: id.nullable().optional(),
      useIntegration: z.boolean().nullable().optional(),
      promptId: id.nullable().optional(),
      integrationId: id.nullable().optional(),
      /** With a transfer: a note of the ticket for whoever gets it. */
      note: noteBody.shape.note.optional(),
    }),
    response: ticket,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/tickets/:id",
    summary: "Delete a ticket and its conversation",
    access: { who: "session", rule: "ticket-options:deleteTicket" },
    params: idParams,
    response: done,
  }),
} as const;
