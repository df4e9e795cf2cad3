import { z } from "zod";

/**
 * Events that processes publish to each other about conversations (platform/pubsub). They are ephemeral: no row is stored, and
 * a lost one is corrected by the next.
 */
const id = z.number().int().positive();

/** All viewers of a conversation that are connected to one process. */
export const viewersEvent = {
  topic: "presence.viewers",
  shape: z.object({
    process: z.string(),
    ticketId: id,
    viewers: z.array(z.object({ id, name: z.string() })),
  }),
} as const;

/** A process got its first viewer of a conversation, and requests the viewers of the other processes. */
export const viewersRequestEvent = {
  topic: "presence.ask",
  shape: z.object({ process: z.string(), ticketId: id }),
} as const;

/** A user started or stopped typing. */
export const userTypingEvent = {
  topic: "presence.typing",
  shape: z.object({ ticketId: id, userId: id, isTyping: z.boolean() }),
} as const;

/** A contact started or stopped typing. */
export const contactTypingEvent = {
  topic: "presence.contact",
  shape: z.object({ ticketId: id, isTyping: z.boolean() }),
} as const;

/** To the process that owns the line: a user started or stopped typing, which the contact shall see. */
export const lineTypingEvent = {
  topic: "presence.line",
  shape: z.object({
    connectionId: id,
    chat: z.object({ kind: z.enum(["phone", "lid", "group"]), value: z.string() }),
    isTyping: z.boolean(),
  }),
} as const;
