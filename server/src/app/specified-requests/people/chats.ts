import { flag, none, number, refusal, some, someText, text, time } from "../format/kinds.ts";
import type { SpecifiedRequest } from "../format/table.ts";

const chat = {
  id: number,
  uuid: someText,
  title: text,
  ownerId: number,
  lastMessage: text,
  updatedAt: time,
  users: some({ userId: number, unreads: number, user: { id: number, name: text } }),
};

/** Specification 2, sections 3, 5, 6 and 7; behaviour 2. */
export const chats: readonly SpecifiedRequest[] = [
  {
    request: "POST /chats",
    proves: "title and people, as the family's dialog sends them (O-06, E-03)",
    as: "agent",
    send: { title: "Cozinha", users: [{ id: "{colleague}", name: "Beto Dias" }] },
    holds: { id: number, title: "Cozinha", ownerId: "{agent}" },
    keep: { chat: "id" },
    hears: [
      {
        channel: "company-{company}-chat-user-{colleague}",
        as: "colleague",
        holds: { action: "create", record: { ...chat, id: "{chat}" } },
      },
    ],
  },
  {
    request: "GET /chats?searchParam=&pageNumber=1",
    proves: "one's chats are called records (O-06)",
    as: "colleague",
    holds: { records: some({ ...chat, id: "{chat}" }), count: number, hasMore: flag },
  },
  {
    request: "GET /chats/",
    proves: "with a slash, without parameters (O-06, T-23)",
    as: "agent",
    holds: { records: some({ id: "{chat}" }) },
  },
  { request: "GET /chats", proves: "not for who is not in it (O-06)", holds: { records: none({ id: "{chat}" }) } },
  {
    request: "POST /chats/{chat}/messages",
    proves: "a word, told with its chat (O-06)",
    as: "agent",
    send: { message: "O bolo saiu" },
    hears: [
      {
        channel: "company-{company}-chat-{chat}",
        as: "colleague",
        holds: {
          action: "new-message",
          newMessage: { message: "O bolo saiu", senderId: "{agent}", chatId: "{chat}" },
          chat: {
            ...chat,
            id: "{chat}",
            lastMessage: "O bolo saiu",
            users: some({ userId: "{colleague}", unreads: 1 }),
          },
        },
      },
      {
        channel: "company-{company}-chat",
        as: "colleague",
        holds: { action: "new-message", newMessage: { message: "O bolo saiu" }, chat: { id: "{chat}" } },
      },
    ],
  },
  {
    request: "POST /chats/{chat}/messages",
    proves: "an empty word is not sent (O-06, E-03)",
    as: "agent",
    send: { message: "" },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "GET /chats/{chat}/messages?pageNumber=1",
    proves: "its messages are called records (O-06)",
    as: "colleague",
    holds: {
      records: [
        {
          id: number,
          message: "O bolo saiu",
          senderId: "{agent}",
          sender: { name: "Ana Lima" },
          createdAt: time,
          chatId: "{chat}",
        },
      ],
      count: 1,
      hasMore: false,
    },
  },
  {
    request: "POST /chats/{chat}/read",
    proves: "the count is cleared, told to oneself (O-06)",
    as: "colleague",
    send: { userId: "{colleague}" },
    after: [
      {
        get: "/chats",
        as: "colleague",
        holds: { records: some({ id: "{chat}", users: some({ userId: "{colleague}", unreads: 0 }) }) },
      },
    ],
  },
  {
    request: "PUT /chats/{chat}",
    proves: "its owner changes it, told to the members (O-06)",
    as: "agent",
    send: { title: "Cozinha 2", users: [{ id: "{colleague}" }, { id: "{supervisor}" }] },
    after: [{ get: "/chats", as: "supervisor", holds: { records: some({ id: "{chat}", title: "Cozinha 2" }) } }],
    hears: [
      {
        channel: "company-{company}-chat",
        as: "colleague",
        holds: { action: "update", chat: { id: "{chat}", title: "Cozinha 2" } },
      },
    ],
  },
  {
    request: "PUT /chats/{chat}",
    proves: "a member who is not its owner may not (O-06, E-01)",
    as: "colleague",
    send: { title: "Meu", users: [{ id: "{agent}" }] },
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
  {
    request: "POST /chats",
    proves: "a title is required, in a sentence (O-06, E-03)",
    as: "agent",
    send: { title: "", users: [{ id: "{colleague}" }] },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "POST /chats",
    proves: "somebody is required, in a sentence (O-06, E-03)",
    as: "agent",
    send: { title: "Só eu", users: [] },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "DELETE /chats/{chat}",
    proves: "is gone, and told to its members (O-06)",
    as: "agent",
    after: [{ get: "/chats", as: "colleague", holds: { records: none({ id: "{chat}" }) } }],
    hears: [{ channel: "company-{company}-chat", as: "colleague", holds: { action: "delete", id: "{chat}" } }],
  },
];
