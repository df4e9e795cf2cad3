import { z } from "zod";
import { id } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** What customers type to find their way (behaviour 5, rule 3): no option may be called like it. */
export const botCommands = { mainMenu: "#", previousMenu: "0", stop: "sair" } as const;

/** What the bot would say: the real engine on a state that the browser keeps, without a line. */
export const botPreview = {
  turn: endpoint({
    method: "POST",
    path: "/bot/preview",
    summary: "Play one turn of the bot",
    access: { who: "admin" },
    body: z.object({
      /** Start at a queue, or at a connection's menu. */
      queueId: id.optional(),
      connectionId: id.optional(),
      /** What the last answer returned; absent for a new conversation. */
      state: z.record(z.string(), z.unknown()).nullable().default(null),
      text: z.string().max(4096),
      /** When the customer writes, for trying out service hours. */
      at: z.iso.datetime({ offset: true }).optional(),
    }),
    response: z.object({
      state: z.record(z.string(), z.unknown()).nullable(),
      messages: z.array(
        z.object({
          text: z.string(),
          mediaName: z.string().nullable(),
          mediaUrl: z.string().nullable(),
          /** By its bytes: image/png. */
          mediaType: z.string().nullable(),
        }),
      ),
      /** Who is next: the bot goes on, a person is waited for, or an assistant (prompt, integration) takes over. */
      outcome: z.enum(["bot", "person", "assistant"]),
      queue: z.object({ id: z.number().int(), name: z.string(), color: z.string() }).nullable(),
    }),
  }),
} as const;
