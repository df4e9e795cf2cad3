import { z } from "zod";
import { id } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import type { TextLanguage } from "./variables.ts";

/** Navigation commands of customers (behaviour 5, rule 3). No option may have one of these names. */
export const botCommands = { mainMenu: "#", previousMenu: "0", stop: "sair" } as const;

/** The word for a person that is printed under menus (behaviour 5, rule 3). Each works in every language; no option may have its name. */
export const stopWord: Readonly<Record<TextLanguage, string>> = { pt: botCommands.stop, en: "exit", es: "salir" };

/** Preview of the bot: runs the real engine on state kept by the browser, without a line. */
export const botPreview = {
  turn: endpoint({
    method: "POST",
    path: "/bot/preview",
    summary: "Play one turn of the bot",
    access: { who: "admin" },
    body: z.object({
      /** Starts at a queue, or at the menu of a connection. */
      queueId: id.optional(),
      connectionId: id.optional(),
      /** State returned by the previous call; absent for a new conversation. */
      state: z.record(z.string(), z.unknown()).nullable().default(null),
      text: z.string().max(4096),
      /** Time of the customer's message, to test service hours. */
      at: z.iso.datetime({ offset: true }).optional(),
    }),
    response: z.object({
      state: z.record(z.string(), z.unknown()).nullable(),
      messages: z.array(
        z.object({
          text: z.string(),
          mediaName: z.string().nullable(),
          mediaUrl: z.string().nullable(),
          /** Detected by content: image/png. */
          mediaType: z.string().nullable(),
        }),
      ),
      /** Next step: the bot continues, an agent is awaited, or an assistant (prompt, integration) takes over. */
      outcome: z.enum(["bot", "person", "assistant"]),
      queue: z.object({ id: z.number().int(), name: z.string(), color: z.string() }).nullable(),
    }),
  }),
} as const;
