import { z } from "zod";
import type { BotState } from "./bot.script.ts";
import { freshState } from "./bot.script.ts";

const instant = z.iso.datetime({ offset: true }).nullable();

/** A conversation's place with the bot, as a ticket or a browser kept it. A person's verb may have written `isOver` alone. */
const kept = z.object({
  queueId: z.number().int().nullable().default(null),
  path: z.array(z.number().int()).max(1_000).default([]),
  menusSent: z.number().int().min(0).default(0),
  lastMenuAt: instant.default(null),
  outOfHoursAt: instant.default(null),
  lastText: z.string().default(""),
  repeats: z.number().int().min(0).default(0),
  isOver: z.boolean(),
}) satisfies z.ZodType<BotState>;

/** Reads a kept state; what cannot be read, and nothing at all, begins the conversation again. */
export function readState(value: unknown): BotState {
  const read = kept.safeParse(value);
  return read.success ? read.data : freshState;
}
