import { z } from "zod";
import { instant } from "./common.ts";
import { announcement } from "./announcements.ts";
import { campaign } from "./campaigns.ts";
import { chat, chatMessage } from "./chats.ts";
import { connection } from "./connections.ts";
import { contactList, contactListItem } from "./contact-lists.ts";
import { contact, contactSummary } from "./contacts.ts";
import { fileList } from "./files.ts";
import { invoice } from "./invoices.ts";
import { knowledgeSource } from "./knowledge.ts";
import { message } from "./messages.ts";
import { note } from "./notes.ts";
import { plan } from "./plans.ts";
import { product } from "./products.ts";
import { prompt } from "./prompts.ts";
import { queueIntegration } from "./queue-integrations.ts";
import { queue } from "./queues.ts";
import { quickMessage } from "./quick-messages.ts";
import { schedule } from "./schedules.ts";
import { tag } from "./tags.ts";
import { ticket } from "./tickets.ts";
import { colleague, user } from "./users.ts";
import { webhook } from "./webhooks.ts";

/**
 * Socket events (behaviour 2). Wire names: `wireName`. The last packet of a batch for a socket has `{ cursor }` as its last
 * argument: the stream position from which a reconnecting browser continues. Ephemeral packets (ticketPresence) have none.
 */
export const wireEvents = {
  ticket: z.discriminatedUnion("action", [
    z.object({ action: z.literal("update"), ticket }),
    z.object({ action: z.literal("delete"), ticketId: z.number().int() }),
    z.object({ action: z.literal("updateUnread"), ticketId: z.number().int() }),
    /** The messages of the ticket changed as a whole: `mergedId` was merged into it, or a merge was undone. */
    z.object({ action: z.literal("reload"), ticket, mergedId: z.number().int().nullable() }),
  ]),
  /** To the user to whom somebody else transferred the ticket, with the beginning of their note; `count` tickets at once. */
  ticketTransfer: z.object({
    action: z.literal("received"),
    ticket,
    from: z.object({ id: z.number().int(), name: z.string() }).nullable(),
    note: z.string().nullable(),
    count: z.number().int(),
  }),
  appMessage: z.discriminatedUnion("action", [
    z.object({ action: z.literal("create"), message, ticket, contact: contactSummary }),
    z.object({ action: z.literal("update"), message }),
  ]),
  /** To viewers of the conversation (T-21). */
  ticketNote: z.discriminatedUnion("action", [
    z.object({ action: z.literal("create"), ticketId: z.number().int(), note }),
    z.object({ action: z.literal("delete"), ticketId: z.number().int(), noteId: z.number().int() }),
  ]),
  contact: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), contact }),
    z.object({ action: z.literal("delete"), contactId: z.number().int() }),
  ]),
  /** To the importing user: refetch the progress. To everybody at the end: refetch the contacts. */
  contactImport: z.object({ action: z.literal("changed"), importId: z.number().int(), hasEnded: z.boolean() }),
  /** To admins, like the next two: counts and the state of the number check are in the record. */
  ContactList: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: contactList }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  /** `reload` as `ContactListItem-{listId}`: many items have changed; `records` is the first page. */
  ContactListItem: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: contactListItem }),
    z.object({ action: z.literal("delete"), id: z.number().int(), contactListId: z.number().int() }),
    z.object({ action: z.literal("reload"), contactListId: z.number().int(), records: z.array(contactListItem) }),
  ]),
  contactListImport: z.object({
    action: z.literal("changed"),
    contactListId: z.number().int(),
    importId: z.number().int(),
    hasEnded: z.boolean(),
  }),
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
  file: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: fileList }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  /** To admins, like the next two. */
  prompt: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: prompt }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  knowledge: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: knowledgeSource }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  queueIntegration: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: queueIntegration }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  /** To admins. */
  webhook: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: webhook }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  /** Whole to admins and to the user; to everybody else with the fields of GET /users/list. */
  user: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), user: z.union([user, colleague]) }),
    z.object({ action: z.literal("delete"), userId: z.number().int() }),
  ]),
  /** To users who may use it; others get "delete". */
  quickmessage: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: quickMessage }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  schedule: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: schedule }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  /** To admins; of a campaign that is being sent at most once in two seconds. */
  campaign: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: campaign }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  /** To all users of all companies; for an inactive one all but operators get "delete". */
  announcement: z.discriminatedUnion("action", [
    z.object({ action: z.enum(["create", "update"]), record: announcement }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  /** To members of the chat, also as `chat-{id}`; removed members get "delete". */
  chat: z.discriminatedUnion("action", [
    z.object({ action: z.literal("new-message"), newMessage: chatMessage, chat }),
    z.object({ action: z.literal("update"), chat }),
    z.object({ action: z.literal("delete"), id: z.number().int() }),
  ]),
  /** As `chat-user-{userId}`, to that user: they were added to the chat or have read it. */
  "chat-user": z.object({ action: z.enum(["create", "update"]), record: chat }),
  /** To admins. */
  invoice: z.object({ action: z.enum(["create", "update"]), record: invoice }),
  /** To everybody of the company: an invoice was paid (specification 2, section 4). */
  payment: z.object({
    action: z.literal("CONCLUIDA"),
    company: z.object({ id: z.number().int(), name: z.string(), dueDate: z.iso.date().nullable() }),
  }),
  /**
   * `changed`, to operators: a company was created, updated or deleted. `update`, to everybody of a company: its own was changed,
   * also by a payment, a returned one, or the operator. With its time zone, in which every screen writes its times.
   */
  company: z.discriminatedUnion("action", [
    z.object({ action: z.literal("changed") }),
    z.object({
      action: z.literal("update"),
      company: z.object({
        id: z.number().int(),
        name: z.string(),
        dueDate: z.iso.date().nullable(),
        trialExpiration: instant.nullable(),
        timeZone: z.string(),
      }),
    }),
  ]),
  /** To everybody of a company whose plan was changed, or that got another one. */
  plan: z.object({ action: z.literal("update"), plan: plan.nullable() }),
  /** To everybody of a company: the support was let in, asks to be, came or left. */
  support: z.object({ action: z.literal("changed") }),
  settings: z.object({ action: z.literal("update"), setting: z.object({ key: z.string(), value: z.string() }) }),
  auth: z.object({
    action: z.literal("update"),
    user: z.object({ id: z.number().int() }),
    /** The session that continues; all others of the user were ended. */
    sessionId: z.string(),
  }),
  /** A user came online or went offline (U-04). */
  presence: z.object({ action: z.literal("update"), user: user.pick({ id: true, online: true }) }),
  /** Viewers and typing users of a conversation. Published to the room of the ticket only; never stored. */
  ticketPresence: z.object({
    ticketId: z.number().int(),
    viewers: z.array(z.object({ id: z.number().int(), name: z.string(), typing: z.boolean() })),
    contactTyping: z.boolean(),
  }),
} as const;

export type WireSuffix = keyof typeof wireEvents;
export type WirePayload<S extends WireSuffix> = z.output<(typeof wireEvents)[S]>;

/** `company-7-ticket`. Events of all companies have the fixed name of the specification. */
export function wireName(companyId: number, suffix: WireSuffix): string {
  return suffix === "announcement" ? "company-announcement" : `company-${companyId}-${suffix}`;
}

/** Client events (behaviour 2). */
export const clientEvents = [
  "joinNotification",
  "joinTickets",
  "joinChatBox",
  "leaveNotification",
  "leaveTickets",
  "leaveChatBox",
  "userStatus",
] as const;

export const socketRules = { pingIntervalMs: 18_000, pingTimeoutMs: 18_000 } as const;
