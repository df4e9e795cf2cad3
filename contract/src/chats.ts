import { z } from "zod";
import { booleanText, changesOf, done, id, idParams, instant, paged, pageNumber, searchParam } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** `olderWithinPx`: distance to the top at which older messages are loaded (specification 2 section 9). */
export const chatRules = { maxTitle: 100, maxLetters: 10_000, maxUsers: 500, olderWithinPx: 600 } as const;

const named = z.object({ id: z.number().int(), name: z.string() });

/** A chat between users of the company; visible to those in `users` only. */
export const chat = z.object({
  id: z.number().int(),
  uuid: z.string(),
  title: z.string(),
  /** Null when the owner's account was deleted; then every member may change the chat. */
  ownerId: z.number().int().nullable(),
  /** "" before the first message. */
  lastMessage: z.string(),
  updatedAt: instant,
  users: z.array(z.object({ userId: z.number().int(), unreads: z.number().int(), user: named })),
});
export type Chat = z.output<typeof chat>;

export const chatMessage = z.object({
  id: z.number().int(),
  chatId: z.number().int(),
  /** Null when the account was deleted; the name stays. */
  senderId: z.number().int().nullable(),
  sender: z.object({ name: z.string() }),
  message: z.string(),
  /** Client id of the sender: a resend with the same id is the same message. */
  clientId: z.string().nullable(),
  createdAt: instant,
});
export type ChatMessage = z.output<typeof chatMessage>;

export const chatBody = z.object({
  title: z.string().trim().min(1, "Por favor, preencha o título da conversa.").max(chatRules.maxTitle, "Too Long!"),
  /** Members besides the owner. */
  users: z.array(z.object({ id })).min(1, "Por favor, selecione pelo menos um usuário.").max(chatRules.maxUsers),
});
export type ChatBody = z.output<typeof chatBody>;

const access = { who: "session", plan: "useInternalChat" } as const;

export const chats = {
  list: endpoint({
    method: "GET",
    path: "/chats",
    summary: "Internal chats that one is in, the latest first, a page at a time",
    access,
    query: z.object({ searchParam, pageNumber, withUnread: booleanText }),
    response: paged("records", chat),
  }),
  byUuid: endpoint({
    method: "GET",
    path: "/chats/u/:uuid",
    summary: "One internal chat, by what its address carries",
    access,
    params: z.object({ uuid: z.uuid() }),
    response: chat,
  }),
  create: endpoint({
    method: "POST",
    path: "/chats",
    summary: "Begin an internal chat, as its owner",
    access,
    body: chatBody,
    response: chat,
  }),
  update: endpoint({
    method: "PUT",
    path: "/chats/:id",
    summary: "Change its title and who is in it: its owner",
    access,
    params: idParams,
    body: changesOf(chatBody),
    response: chat,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/chats/:id",
    summary: "Delete it with its messages: its owner",
    access,
    params: idParams,
    response: done,
  }),
  messages: endpoint({
    method: "GET",
    path: "/chats/:id/messages",
    summary:
      "Its messages: page 1 is the newest, each page oldest to newest; `before` a message counts pages from there",
    access,
    params: idParams,
    query: z.object({ pageNumber, before: id.optional() }),
    response: paged("records", chatMessage),
  }),
  send: endpoint({
    method: "POST",
    path: "/chats/:id/messages",
    summary: "Write in it; the same clientId again is the same message",
    access,
    params: idParams,
    body: z.object({
      message: z.string().trim().min(1, "Required").max(chatRules.maxLetters, "Too Long!"),
      clientId: z.string().min(1).max(64).optional(),
    }),
    response: chatMessage,
  }),
  read: endpoint({
    method: "POST",
    path: "/chats/:id/read",
    summary: "Nothing in it is unread for the signed-in user; whose it is, the session says, not `userId`",
    access,
    params: idParams,
    body: z.object({ userId: id.optional() }),
    response: chat,
  }),
} as const;
