import { address, flag, maybe, without, number, refusal, some, someText, text, time } from "../format/kinds.ts";
import { form, pdf, plainFile, png } from "../format/table.ts";
import type { SpecifiedRequest } from "../format/table.ts";

/** Specification 1, section 3; behaviour 1. */
const message = {
  id: number,
  ticketId: "{mine}",
  body: text,
  fromMe: flag,
  read: flag,
  ack: number,
  mediaType: text,
  mediaUrl: maybe(address),
  mediaPath: maybe(text),
  quotedMsgId: maybe(number),
  quotedMsg: maybe({ id: number, body: text }),
  isDeleted: flag,
  isEdited: flag,
  createdAt: time,
  contact: maybe({ id: number, name: text }),
  participant: maybe({ name: text }),
  queueId: maybe(number),
};

const customer = "5511987650001";

/** What the family's clients send with every text. */
const sentText = { read: 1, fromMe: true, mediaUrl: "", quotedMsg: null };

export const messages: readonly SpecifiedRequest[] = [
  {
    request: "POST /messages/{mine}",
    proves: "a text is stored before it is sent, and told to list and conversation (M-16, M-05)",
    as: "agent",
    joins: [{ as: "agent", room: "joinChatBox", id: "{mine}" }],
    send: { ...sentText, body: "*Ana Lima:*\nBom dia!" },
    keep: { text: "0.id" },
    after: [
      {
        get: "/messages/{mine}?pageNumber=1",
        as: "agent",
        holds: {
          messages: some({
            ...message,
            id: "{text}",
            body: "*Ana Lima:*\nBom dia!",
            fromMe: true,
            mediaType: someText,
          }),
          ticket: { id: "{mine}" },
          count: number,
          hasMore: flag,
        },
      },
    ],
    hears: [
      {
        channel: "company-{company}-appMessage",
        as: "agent",
        holds: {
          action: "create",
          message: { ...message, id: "{text}" },
          ticket: { id: "{mine}", lastMessage: text, unreadMessages: 0 },
          contact: { id: "{contact}", name: "Carla Nunes" },
        },
      },
      {
        channel: "company-{company}-appMessage",
        as: "agent",
        holds: { action: "update", message: { id: "{text}", ack: 1 } },
      },
    ],
  },
  {
    request: "GET /messages/{mine}?pageNumber=1",
    proves: "what the customer answered, oldest to newest; reading it clears the count (M-16, M-14)",
    as: "agent",
    arrives: [
      { from: customer, says: "Bom dia, Ana" },
      { from: customer, says: "Quero um bolo" },
    ],
    holds: {
      messages: some({ ...message, body: "Quero um bolo", fromMe: false, contact: { id: "{contact}" } }),
      ticket: { id: "{mine}" },
    },
    keep: { asked: "messages.2.id", asker: "messages.2" },
    after: [{ get: "/tickets/{mine}", as: "agent", holds: { unreadMessages: 0 } }],
    hears: [
      { channel: "company-{company}-ticket", as: "agent", holds: { action: "updateUnread", ticketId: "{mine}" } },
    ],
  },
  {
    request: "POST /messages/{mine}",
    proves: "a quotation carries the quoted message whole (M-09, E-03)",
    as: "agent",
    send: { ...sentText, body: "De qual sabor?", quotedMsg: "{asker}" },
    after: [
      {
        get: "/messages/{mine}",
        as: "agent",
        holds: {
          messages: some({
            body: "De qual sabor?",
            quotedMsgId: "{asked}",
            quotedMsg: { id: "{asked}", body: "Quero um bolo", contact: { name: "Carla Nunes" } },
          }),
        },
      },
    ],
  },
  {
    request: "POST /messages/{mine}",
    proves: "several medias, each with its caption; a caption that is the file's name is none (M-06, M-16, E-03)",
    as: "agent",
    send: form(
      ["fromMe", "true"],
      ["medias", png("bolo.png")],
      ["body", "Este é o de morango"],
      ["medias", pdf("cardapio.pdf")],
      ["body", "cardapio.pdf"],
    ),
    holds: [{ ...message, body: "Este é o de morango" }, message],
    keep: { picture: "0.id", paper: "1.id", pictureUrl: "0.mediaUrl" },
    after: [
      {
        get: "/messages/{mine}",
        as: "agent",
        holds: {
          messages: some({
            ...message,
            id: "{picture}",
            mediaType: "image",
            body: "Este é o de morango",
            mediaUrl: address,
          }),
        },
      },
      {
        get: "/messages/{mine}",
        as: "agent",
        holds: {
          messages: some({ id: "{paper}", mediaType: "application", body: without("cardapio.pdf"), mediaUrl: address }),
        },
      },
    ],
  },
  {
    request: "GET {pictureUrl}",
    proves: "the picture itself, by its address (M-04)",
    as: "agent",
    status: 200,
  },
  {
    request: "POST /messages/{mine}",
    proves: "one media without a word (M-06, M-16)",
    as: "agent",
    send: form(["medias", plainFile("nota.txt", "text/plain", "bolo: 1")], ["body", ""], ["fromMe", "true"]),
    keep: { note: "0.id" },
    after: [
      { get: "/messages/{mine}", as: "agent", holds: { messages: some({ id: "{note}", mediaType: "application" }) } },
    ],
  },
  {
    request: "POST /messages/{mine}",
    proves: "nothing at all is refused in a sentence (M-05, E-03)",
    as: "agent",
    send: { ...sentText, body: "" },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "POST /messages/{mine}",
    proves: "a foreign queue's agent may not (T-17)",
    as: "colleague",
    send: { ...sentText, body: "Oi" },
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
  {
    request: "POST /messages/edit/{text}",
    proves: "the new text, marked as edited and told (M-10)",
    as: "agent",
    send: { body: "Bom dia, Carla!" },
    after: [
      {
        get: "/messages/{mine}",
        as: "agent",
        holds: { messages: some({ id: "{text}", body: "Bom dia, Carla!", isEdited: true }) },
      },
    ],
    hears: [
      {
        channel: "company-{company}-appMessage",
        as: "agent",
        holds: { action: "update", message: { id: "{text}", body: "Bom dia, Carla!", isEdited: true } },
      },
    ],
  },
  {
    request: "POST /messages/{mine}",
    proves: "a room that was entered twice and left once is still one's own (N-04)",
    as: "agent",
    joins: [
      { as: "agent", room: "joinChatBox", id: "{mine}" },
      { as: "agent", room: "leaveChatBox", id: "{mine}" },
    ],
    send: { ...sentText, body: "Um instante" },
    keep: { instant: "0.id" },
    hears: [
      {
        channel: "company-{company}-appMessage",
        as: "agent",
        holds: { action: "update", message: { id: "{instant}", ack: 1 } },
      },
    ],
  },
  {
    request: "DELETE /messages/{text}",
    proves: "stays with a marker, told to the conversation (M-10)",
    as: "agent",
    after: [{ get: "/messages/{mine}", as: "agent", holds: { messages: some({ id: "{text}", isDeleted: true }) } }],
    hears: [
      {
        channel: "company-{company}-appMessage",
        as: "agent",
        holds: { action: "update", message: { id: "{text}", isDeleted: true } },
      },
    ],
  },
  {
    request: "GET /messages/{mine}?pageNumber=2",
    proves: "beyond the last page is nothing (M-01)",
    as: "agent",
    holds: { messages: [], hasMore: false, count: number },
  },
  {
    request: "GET /messages/{mine}?pageNumber=1",
    proves: "a look of an admin changes nothing (M-14)",
    arrives: [{ from: customer, says: "Chocolate" }],
    holds: { messages: some({ body: "Chocolate" }), ticket: { unreadMessages: 1 } },
    after: [{ get: "/tickets/{mine}", holds: { unreadMessages: 1 } }],
  },
  {
    request: "POST /messages/{mine}",
    proves: "the agent's answer clears the count (M-14)",
    as: "agent",
    send: { ...sentText, body: "Anotado!" },
    after: [{ get: "/tickets/{mine}", holds: { unreadMessages: 0, lastMessage: someText } }],
  },
  {
    request: "GET /messages/{mine}",
    proves: "another company's conversation is not found (M-16)",
    as: "stranger",
    status: 404,
    holds: refusal("ERR_NO_TICKET_FOUND"),
  },
];
