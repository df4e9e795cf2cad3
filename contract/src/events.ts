import { z } from "zod";
import { announcement } from "./announcements.ts";
import { chat, chatMessage } from "./chats.ts";
import { connection } from "./connections.ts";
import { contact } from "./contacts.ts";
import { message } from "./messages.ts";
import { note } from "./notes.ts";
import { product } from "./products.ts";
import { prompt } from "./prompts.ts";
import { queueIntegration } from "./queue-integrations.ts";
import { queue } from "./queues.ts";
import { quickMessage } from "./quick-messages.ts";
import { schedule } from "./schedules.ts";
import { tag } from "./tags.ts";
import { ticket } from "./tickets.ts";

/**
 * Everything a socket may carry (behaviour 2). Wire names: `wireName`.
 * Each packet's last argument is `{ cursor }`: where a browser that returns goes on.
 */
export const wireEvents = {
  ticket: z.discriminatedUnion("action", [
    z.object({ action: z.literal("update"), ticket }),
    z.object({ action: z.literal("delete"), ticketId: z.number().int() }),
    z.object({ action: z.literal("updateUnread"), ticketId: z.number().int() }),
    /** The conversation holds other messages now: `mergedId` went into it, or part of it went its own way again. */
    z.object({ action: z.literal("reload"), ticket, mergedId: z.number().int().nullable() }),
  ]),
  appMessage: z.discriminatedUnion("action", [
    z.object({ action: z.literal("create"), message, ticket, contact: ticket.shape.contact }),
    z.object({ action: z.literal("update"), message }),
  ]),
  /** To those who look at the conversation (T-21). */
  ticketNote: z.discriminatedUnion("action", [
    z.object({ action: z.literal("create"), ticketId: z.number().int(), note }),
    z.object({ action: z.literal("delete"), ticketId: z.number().int(), noteId: z.number().int() }),
  ]),
  contact: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), contact }),
    z.object({ action: z.literal("delete"), contactId: z.number().int() }),
  ]),
  /** To whoever imports: ask again how far it is. To everybody when it has ended: there are new contacts. */
  contactImport: z.object({ action: z.literal("changed"), importId: z.number().int(), hasEnded: z.boolean() }),
  whatsapp: z.discriminatedUnion("action", [
    z.object({ action: z.literal("update"), whatsapp: connection }),
    z.object({ action: z.literal("delete"), whatsappId: z.number().int() }),
  ]),
  whatsappSession: z.object({ action: z.literal("update"), session: connection }),
  queue: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), queue }),
    z.object({ action: z.literal("delete"), queueId: z.number().int() }),
  ]),
  tag: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: tag }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  product: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: product }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  /** To admins, as the next one. */
  prompt: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: prompt }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  queueIntegration: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: queueIntegration }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  user: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), user: z.object({ id: z.number().int() }).loose() }),
    z.object({ action: z.literal("delete"), userId: z.number().int() }),
  ]),
  /** To those who may use it; to the others it is deleted. */
  quickmessage: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: quickMessage }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  schedule: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: schedule }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  /** To everybody of every company; one that is inactive is deleted for all but operators. */
  announcement: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: announcement }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  /** To those who are in the chat, also as `chat-{id}`; whoever was taken out of it is told that it is deleted. */
  chat: z.discriminatedUnion("action", [
    z.object({ action: z.literal("new-message"), newMessage: chatMessage, chat }),
    z.object({ action: z.literal("update"), chat }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  /** As `chat-user-{userId}`, to that person: they are in it from now on, or have read it. */
  "chat-user": z.object({ action: z.enum(["create", "update"]), record: chat }),
  /** To operators: some company was added, changed or deleted. */
  company: z.object({ action: z.literal("changed") }),
  settings: z.object({ action: z.literal("update"), setting: z.object({ key: z.string(), value: z.string() }) }),
  auth: z.object({
    action: z.literal("update"),
    user: z.object({ id: z.number().int() }),
    /** The session that goes on: every other one of this user was ended. */
    sessionId: z.string(),
  }),
  /** Who is looking at, or typing in, a conversation. Told to the ticket's room only; never stored. */
  presence: z.object({
    ticketId: z.number().int(),
    viewers: z.array(z.object({ id: z.number().int(), name: z.string(), typing: z.boolean() })),
    contactTyping: z.boolean(),
  }),
} as const;

export type WireSuffix = keyof typeof wireEvents;
export type WirePayload<S extends WireSuffix> = z.output<(typeof wireEvents)[S]>;

/** `company-7-ticket`. What is the same for all companies has the one name that the specification gives it. */
export function wireName(companyId: number, suffix: WireSuffix): string {
  return suffix === "announcement" ? "company-announcement" : `company-${companyId}-${suffix}`;
}

/** Messages from the browser (behaviour 2). */
export const joins = [
  "joinNotification",
  "joinTickets",
  "joinChatBox",
  "leaveNotification",
  "leaveTickets",
  "leaveChatBox",
  "userStatus",
] as const;

export const socketRules = { pingIntervalMs: 18_000, pingTimeoutMs: 18_000 } as const;
