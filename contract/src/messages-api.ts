import { z } from "zod";
import { id, instant } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { messageRules } from "./messages.ts";
import { holdReasons } from "./sending.ts";

/** Limits of the messages API. */
export const messagesApiRules = {
  /** Requests that a token may make at once, and again within a minute. */
  requestsPerMinute: 120,
  /** Digits of a number with its country code: the shortest in use, and the longest of E.164. */
  minDigits: 8,
  maxDigits: 15,
  /** An idempotency key, and the state of a message, are kept so many days. */
  keptDays: 30,
  maxKey: 255,
} as const;

/** Header with the caller's own name for a request: a second one with it sends nothing. */
export const idempotencyHeader = "Idempotency-Key";

/** `waiting`: the sending gate holds it (pace, caps, limits of WhatsApp). `deleted`: with its conversation. */
export const apiMessageStates = ["waiting", "queued", "sent", "delivered", "read", "failed", "deleted"] as const;
export type ApiMessageState = (typeof apiMessageStates)[number];

/** "+55 (11) 98888-7777", "005511988887777": the digits with the country code. */
const phoneNumber = z
  .string()
  .trim()
  .max(40, "Too Long!")
  .transform((text) => text.replaceAll(/\D/gu, "").replace(/^00/u, ""))
  .pipe(z.string().min(messagesApiRules.minDigits, "Too Short!").max(messagesApiRules.maxDigits, "Too Long!"));

const flag = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]).default(false);

export const apiSendBody = z.object({
  number: phoneNumber,
  body: z.string().max(messageRules.maxBody).default(""),
  /** The queue that the conversation comes to, if no agent serves it. */
  queueId: id.nullable().default(null),
  /** Whose words they are, and who serves the conversation from then on, unless another agent does. */
  userId: id.nullable().default(null),
  /** Begins the text with that agent's name, as the signature of the desk does. */
  sendSignature: flag,
  /** Resolves the conversation after the message, unless an agent serves it. */
  closeTicket: flag,
});
export type ApiSendBody = z.output<typeof apiSendBody>;

export const apiMessage = z.object({
  messageId: z.string(),
  number: z.string(),
  status: z.enum(apiMessageStates),
  /** Why it waits, and until when at the most. */
  heldReason: z.enum(holdReasons).nullable(),
  heldUntil: instant.nullable(),
  /** Why it failed: an error code, or a reason of the line. */
  error: z.string().nullable(),
  createdAt: instant,
});
export type ApiMessage = z.output<typeof apiMessage>;

const token = { who: "token", plan: "useExternalApi" } as const;

export const messagesApi = {
  send: endpoint({
    method: "POST",
    path: "/api/messages/send",
    summary: `Send a text or files by the connection of the token; the header ${idempotencyHeader} makes it safe to repeat`,
    access: token,
    body: apiSendBody,
    files: { field: "medias", max: messageRules.maxFiles },
    // behaviour 1: the words of the success
    response: z.object({ mensagem: z.literal("Mensagem enviada"), messageId: z.string() }),
  }),
  get: endpoint({
    method: "GET",
    path: "/api/messages/:messageId",
    summary: "What became of a message that was sent by the same connection, for 30 days",
    access: token,
    params: z.object({ messageId: z.uuid() }),
    response: apiMessage,
  }),
} as const;
