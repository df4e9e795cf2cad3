import { z } from "zod";
import { instant, webAddress } from "./common.ts";
import { mediaTypes } from "./messages.ts";

/** What is sent to an integration of type n8n or webhook, and what it may answer (O-09; behaviour 6, decision 0221). */
export const integrationRules = {
  /** Of one answer; more are refused. */
  maxMessages: 20,
  /** Letters of one message. */
  maxText: 4_096,
  /** Bytes of an answer that are read; a longer one is refused. */
  maxAnswer: 262_144,
  /** Bytes of a file that an answer names by its address: WhatsApp's own limit of pictures, videos and audio. */
  maxFile: 16 * 1_048_576,
  /** A system has so long to answer (ms). */
  timeoutMs: 30_000,
  /** Pauses between the messages of one answer are this long together at most (ms): what a person sends waits behind them. */
  maxPauses: 30_000,
  /** Calls are kept so many days, and can be sent again as long. */
  keptDays: 30,
} as const;

const person = z.object({
  id: z.number().int(),
  name: z.string(),
  /** Digits with country code; null where WhatsApp hides it. */
  number: z.string().nullable(),
  email: z.string(),
});

/** A message of the customer. */
export const integrationMessage = z.object({
  id: z.number().int(),
  type: z.enum(mediaTypes),
  /** The text, or the caption of a file. */
  text: z.string(),
  /** A signed link, which holds for a day; null without a file, or where it cannot be had. */
  mediaUrl: z.string().nullable(),
  mimeType: z.string().nullable(),
  fileName: z.string().nullable(),
  sentAt: instant,
});

/** The body of a call. */
export const integrationCallBody = z.object({
  type: z.literal("conversation.said"),
  timestamp: instant,
  /** The last of the messages. */
  message: integrationMessage,
  /** All that was said since the last answer, in order. */
  messages: z.array(integrationMessage),
  contact: person,
  /** Null in a test from the screen. */
  ticket: z
    .object({
      id: z.number().int(),
      uuid: z.string(),
      protocol: z.string(),
      queue: z.object({ id: z.number().int(), name: z.string() }).nullable(),
    })
    .nullable(),
  connection: z.object({ id: z.number().int(), name: z.string(), number: z.string().nullable() }).nullable(),
  integration: z.object({ id: z.number().int(), name: z.string() }),
});
export type IntegrationCallBody = z.output<typeof integrationCallBody>;

const answeredMessage = z
  .object({
    text: z.string().max(integrationRules.maxText, "Too Long!").nullish(),
    mediaUrl: webAddress.nullish(),
  })
  .refine(({ text, mediaUrl }) => text || mediaUrl, "Needs a text or a mediaUrl");

/**
 * An answer. An empty one, or one without any of these fields, says nothing, and the conversation goes on; one that has an `error` in
 * their place fails, as a status of 400 or more does.
 */
export const integrationAnswer = z.object({
  messages: z.array(answeredMessage).max(integrationRules.maxMessages, "Too many messages").nullish(),
  /** The conversation waits for a person of this queue. */
  queueId: z.number().int().positive().max(2_147_483_647).nullish(),
  /** The conversation is given to this agent. */
  userId: z.number().int().positive().max(2_147_483_647).nullish(),
  /** The conversation waits for a person in the queue where it is. */
  handOver: z.boolean().nullish(),
  /** The conversation is resolved. */
  close: z.boolean().nullish(),
});
export type IntegrationAnswer = z.output<typeof integrationAnswer>;
