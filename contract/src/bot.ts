import { z } from "zod";
import { id, instant } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import type { Language } from "./i18n.ts";

/** Navigation commands of customers (behaviour 5, rule 3). No option may have one of these names. */
export const botCommands = { mainMenu: "#", previousMenu: "0", stop: "sair" } as const;

/** The word for a person that is printed under menus (behaviour 5, rule 3). Each works in every language; no option may have its name. */
export const stopWord: Readonly<Record<Language, string>> = { pt: botCommands.stop, en: "exit", es: "salir" };

/** When a bot leaves a chat to a person, because a machine is at its other end (behaviour 5: "another bot's loop is cut"; decision 0297). */
export const loopRules = {
  /** The same text so often in a row, each time answered and without moving in the menus. */
  sameTexts: 3,
  /** Nobody writes more letters a second than this: the quickest thumbs write 8, dictation 13. */
  lettersPerSecond: 15,
  /** Turns so often in a row that followed an assistant's answer faster than anybody writes. */
  quickTurns: 15,
  /** So many answers of assistants without a pause, or wrong answers at one menu where the connection sets no limit to them. */
  answers: 60,
  /** After this time without an answer they are counted anew. */
  pauseMs: 3_600_000,
} as const;

/** Four digits of the year in every time zone, also after an hour has passed. */
function isPlayable(at: string): boolean {
  const year = new Date(at).getUTCFullYear();
  return year >= 1970 && year < 9999;
}

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
      /** The customer writes, an hour passes, or an agent resolves the ticket. */
      event: z.enum(["message", "hourLater", "resolved"]).default("message"),
      /** What the customer sends: a text, or media with the text as their caption. */
      kind: z.enum(["text", "image", "audio", "document", "sticker"]).default("text"),
      text: z.string().max(4096).default(""),
      /** Time of the event, to test service hours; default now. */
      at: instant.refine(isPlayable, "Invalid date").optional(),
      /** Plays it as closed, whatever the service hours say. */
      isClosed: z.boolean().default(false),
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
      /** Next step: the bot continues, an agent is awaited, an assistant (prompt, integration) answers, or it is over. */
      outcome: z.enum(["bot", "person", "assistant", "closed"]),
      /** Sent before the last answer could be read: it gets no answer, and is no wrong one (behaviour 5, rule 6). */
      isTooEarly: z.boolean(),
      /** Name of the assistant that has the conversation. */
      assistant: z.string().nullable(),
      /** The rating that was read in the message. */
      rating: z.number().int().nullable(),
      /** Time after the event. */
      at: instant,
      queue: z.object({ id: z.number().int(), name: z.string(), color: z.string() }).nullable(),
    }),
  }),
} as const;
