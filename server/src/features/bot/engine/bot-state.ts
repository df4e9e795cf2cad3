import { z } from "zod";
import type { BotState } from "../bot.script.ts";
import { initialState } from "../bot.script.ts";

const instant = z.iso.datetime({ offset: true }).nullable();

/** A stored state, of a ticket or of a preview in the browser. A user's action may have written `isOver` alone. */
const stored = z.object({
  queueId: z.number().int().nullable().default(null),
  path: z.array(z.number().int()).max(1_000).default([]),
  menusSent: z.number().int().min(0).default(0),
  lastMenuAt: instant.default(null),
  outOfHoursAt: instant.default(null),
  lastText: z.string().default(""),
  repeats: z.number().int().min(0).default(0),
  isOver: z.boolean(),
}) satisfies z.ZodType<BotState>;

/** Parses a stored state. Null and anything invalid give the initial state: the conversation starts again. */
export function parseState(value: unknown): BotState {
  const parsed = stored.safeParse(value);
  return parsed.success ? parsed.data : initialState;
}
