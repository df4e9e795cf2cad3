import { z } from "zod";
import { isBlank } from "./blank.ts";
import { done, id, instant, longId, pageNumber } from "./common.ts";
import { contactSummary } from "./contacts.ts";
import { endpoint } from "./endpoint.ts";
import { episode, ticket } from "./tickets.ts";

/** `chat` is plain text; the rest are specification 1 section 3 and behaviour 3. */
export const mediaTypes = [
  "chat",
  "image",
  "audio",
  "video",
  "application",
  "sticker",
  "locationMessage",
  "vcard",
  "call_log",
  "unsupported",
] as const;
export type MediaType = (typeof mediaTypes)[number];

/** State of the file; a message never waits for it (behaviour 3). */
export const mediaStates = ["wanted", "fetching", "ready", "failed", "expired"] as const;
export type MediaState = (typeof mediaStates)[number];

/** Failure codes of sending a message or a change of it; their texts are in i18n. */
export const sendFailures = [
  "notConnected",
  "timeout",
  "refused",
  "notAllowed",
  "limited",
  "tooMany",
  "devices",
  "serverFault",
  "invalidContact",
  "file",
  "voice",
  "connectionDeleted",
  /** The contact wants no campaigns, and said so before it was sent. */
  "optedOut",
  "unknown",
] as const;
export type SendFailure = (typeof sendFailures)[number];

/** Meaning of WhatsApp's error codes. The first release stored the bare code as the reason. */
export const refusalCodes: Readonly<Record<string, SendFailure>> = {
  "401": "notAllowed",
  "403": "notAllowed",
  "404": "invalidContact",
  "406": "invalidContact",
  "429": "tooMany",
  "463": "limited",
  "475": "limited",
  "479": "devices",
  "500": "serverFault",
  "503": "serverFault",
};

/** Kinds of changes of a sent message. */
export const changeKinds = ["edit", "revoke", "reaction"] as const;

/** -1 failed, 0 queued, 1 sent, 2 delivered, 3 read-like, 4 and 5 read (specification 1 section 3, behaviour 3). */
export const ackValues = { failed: -1, queued: 0, sent: 1, delivered: 2, readBySome: 3, read: 4, played: 5 } as const;

export const messageRules = {
  /** WhatsApp allows edits for 15 minutes and deletion for everyone for about two days. */
  editWithinMs: 15 * 60_000,
  deleteWithinMs: 48 * 3_600_000,
  maxBody: 65_536,
  minAudioBytes: 10_000,
  audioKbps: 128,
  quickReplyPreview: 35,
  maxRows: 5,
  olderWithinPx: 50,
  maxFiles: 30,
} as const;

const participant = z.object({ number: z.string(), name: z.string() });

const user = z.object({ id: z.number().int(), name: z.string() });

const quoted = z.object({
  id: z.number().int(),
  clientId: z.string().nullable(),
  body: z.string(),
  mediaType: z.enum(mediaTypes),
  fromMe: z.boolean(),
  isAutomatic: z.boolean(),
  /** The agent who wrote it. */
  user: user.nullable(),
  isDeleted: z.boolean(),
  contact: contactSummary.nullable(),
  /** Author in a group. */
  participant: participant.nullable(),
});

export const message = z.object({
  id: z.number().int(),
  ticketId: z.number().int(),
  /** Client id, shared by the browser's outbox and the server: a resend with the same id is the same message. */
  clientId: z.string().nullable(),
  body: z.string(),
  fromMe: z.boolean(),
  /** Automatic message: bot, greeting, notice. */
  isAutomatic: z.boolean(),
  read: z.boolean(),
  ack: z.number().int(),
  failReason: z.string().nullable(),
  /** A failed edit, deletion or reaction: the contact still sees the previous version. */
  changeFailure: z.object({ kind: z.enum(changeKinds), reason: z.string() }).nullable(),
  mediaType: z.enum(mediaTypes),
  /** Signed URL that expires; null until the file is downloaded. */
  mediaUrl: z.string().nullable(),
  /** The same address: other clients of the family read either field. */
  mediaPath: z.string().nullable(),
  media: z
    .object({
      state: z.enum(mediaStates),
      fileName: z.string().nullable(),
      mimeType: z.string().nullable(),
      size: z.number().nullable(),
      width: z.number().nullable(),
      height: z.number().nullable(),
      seconds: z.number().nullable(),
      isVoice: z.boolean(),
      thumbnail: z.string().nullable(),
      /** Loudness over the length of a voice message: bytes of 0 to 100 in base64; null where nobody has said it. */
      waveform: z.string().nullable(),
    })
    .nullable(),
  /** What is said in a voice message, in words; null until somebody transcribed it. */
  transcript: z.string().nullable(),
  /** The first address of the text, as its page describes itself; null without one, or until it is fetched. */
  linkPreview: z
    .object({
      url: z.string(),
      title: z.string(),
      description: z.string(),
      /** A small JPEG as a data URL. */
      picture: z.string().nullable(),
    })
    .nullable(),
  /** Location, contact card or call, by mediaType. */
  data: z.record(z.string(), z.unknown()).nullable(),
  quotedMsgId: z.number().int().nullable(),
  quotedMsg: quoted.nullable(),
  isDeleted: z.boolean(),
  isEdited: z.boolean(),
  reactions: z.array(z.object({ emoji: z.string(), fromMe: z.boolean(), name: z.string() })),
  createdAt: instant,
  /** Server order within one second of `createdAt`, used by compareMessages. */
  sequence: z.number(),
  contact: contactSummary.nullable(),
  /** Author in a group. */
  participant: participant.nullable(),
  /** The agent who wrote it. */
  user: user.nullable(),
  queueId: z.number().int().nullable(),
  version: z.number().int(),
});
export type Message = z.output<typeof message>;

/** Order of messages in server and browser: message time, then server order (behaviour 3). */
export function compareMessages(
  a: { readonly createdAt: string; readonly sequence: number },
  b: { readonly createdAt: string; readonly sequence: number },
): number {
  const time = Date.parse(a.createdAt) - Date.parse(b.createdAt);
  return time === 0 ? a.sequence - b.sequence : time;
}

/** A contact card without any number is invalid. */
export const contactCard = z.object({
  name: z.string().trim().min(1, "Required").max(100, "Too Long!"),
  number: z.string().max(30, "Too Long!").regex(/\d/, "Required"),
});

const ticketParams = z.object({ ticketId: id });
const messageParams = z.object({ messageId: longId });

/**
 * What a client may name a message by: never as the product names its own (`campaign-12-34`, and `…:1` of a second part), which decides
 * what an answer to it means, and of which there is one in a company.
 */
const messageClientId = z
  .string()
  .min(8)
  .max(64)
  .regex(/^(?!(?:campaign|schedule|opt-out|api)-)[^:]*$/u);

export const messages = {
  list: endpoint({
    method: "GET",
    path: "/messages/:ticketId",
    summary: "A page of the conversation; its owner opening it marks the ticket read",
    access: { who: "session" },
    params: ticketParams,
    query: z.object({
      pageNumber,
      /** Peek: read without marking as read (admins, T-07). */
      peek: z.enum(["true", "false"]).default("false"),
      /** Fetched before anybody looks: marks nothing as read. */
      ahead: z.enum(["true", "false"]).default("false"),
      /** Keyset alternative to pageNumber: the page before this message. */
      before: longId.optional(),
      /** With `before`: loads up to 1,000 messages at once, to jump to this older message. */
      upTo: longId.optional(),
      /** Only messages after this one, for a reconnecting browser. */
      after: longId.optional(),
    }),
    response: z.object({
      messages: z.array(message),
      ticket,
      /** Episodes of these messages, for the start and end markers. */
      episodes: z.array(episode),
      count: z.number().int(),
      hasMore: z.boolean(),
      /** The contact's messages up to the ticket's last one that were unread when this was asked, before it marked them as read. */
      unread: z.number().int(),
    }),
  }),
  send: endpoint({
    method: "POST",
    path: "/messages/:ticketId",
    summary: "Store a message and queue it for sending; the answer of a person clears unread",
    access: { who: "session" },
    params: ticketParams,
    body: z.object({
      /** With several files: one text, or one for each of them. */
      body: z
        .union([z.string().max(messageRules.maxBody), z.array(z.string().max(messageRules.maxBody)).max(100)])
        .default(""),
      clientId: messageClientId.optional(),
      quotedMsg: z.union([z.object({ id: longId }).loose(), z.null()]).optional(),
      quotedMsgId: longId.optional(),
      /** A recorded voice message rather than an attached audio file. */
      voice: z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]).default(false),
      vcard: contactCard.optional(),
      location: z
        .object({
          latitude: z.number().min(-90).max(90),
          longitude: z.number().min(-180).max(180),
          name: z.string().max(200).optional(),
        })
        .optional(),
      /** For older clients of the specification; ignored, the server decides both. */
      read: z.union([z.number(), z.boolean(), z.string()]).optional(),
      fromMe: z.union([z.boolean(), z.string()]).optional(),
      mediaUrl: z.string().max(2000).optional(),
    }),
    files: { field: "medias", max: messageRules.maxFiles },
    response: z.array(message),
  }),
  edit: endpoint({
    method: "POST",
    path: "/messages/edit/:messageId",
    summary: "Edit an own message",
    access: { who: "session" },
    params: messageParams,
    body: z.object({
      body: z
        .string()
        .trim()
        .max(messageRules.maxBody, "Too Long!")
        .refine((text) => !isBlank(text), "Required"),
    }),
    response: message,
  }),
  react: endpoint({
    method: "POST",
    path: "/messages/:messageId/reaction",
    summary: "React to a message; an empty emoji takes the reaction back",
    access: { who: "session" },
    params: messageParams,
    body: z.object({ emoji: z.string().max(20) }),
    response: message,
  }),
  retry: endpoint({
    method: "POST",
    path: "/messages/:messageId/retry",
    summary: "Send a failed message again, under the same ids; or the change of a message that failed",
    access: { who: "session" },
    params: messageParams,
    response: message,
  }),
  refetchMedia: endpoint({
    method: "POST",
    path: "/messages/:messageId/media",
    summary: "Try again to fetch the file of a message",
    access: { who: "session" },
    params: messageParams,
    response: message,
  }),
  history: endpoint({
    method: "GET",
    path: "/messages/:messageId/edits",
    summary: "Earlier texts of an edited message, oldest first",
    access: { who: "session" },
    params: messageParams,
    response: z.array(z.object({ body: z.string(), at: instant })),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/messages/:messageId",
    summary: "Delete an own message for everyone",
    access: { who: "session" },
    params: messageParams,
    response: message,
  }),
  markRead: endpoint({
    method: "POST",
    path: "/messages/:ticketId/read",
    summary: "Its owner has the conversation open and visible: clear unread, send read receipts",
    access: { who: "session" },
    params: ticketParams,
    response: done,
  }),
} as const;
