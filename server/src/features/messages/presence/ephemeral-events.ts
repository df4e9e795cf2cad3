import { z } from "zod";

/** What processes tell each other about conversations (platform/pubsub). */
const id = z.number().int().positive();

/** Who looks at a conversation through the sockets of one process. Tells all of them, so that a lost one is healed. */
export const viewersFact = {
  topic: "presence.viewers",
  shape: z.object({
    process: z.string(),
    ticketId: id,
    viewers: z.array(z.object({ id, name: z.string() })),
  }),
} as const;

/** A process has begun to show this conversation and asks the others who is there. */
export const askFact = { topic: "presence.ask", shape: z.object({ process: z.string(), ticketId: id }) } as const;

export const typingFact = {
  topic: "presence.typing",
  shape: z.object({ ticketId: id, userId: id, isTyping: z.boolean() }),
} as const;

export const contactFact = {
  topic: "presence.contact",
  shape: z.object({ ticketId: id, isTyping: z.boolean() }),
} as const;

/** To whoever owns the line: the contact is to see that we write. */
export const lineFact = {
  topic: "presence.line",
  shape: z.object({
    connectionId: id,
    chat: z.object({ kind: z.enum(["phone", "lid", "group"]), value: z.string() }),
    isTyping: z.boolean(),
  }),
} as const;
