import { z } from "zod";
import type { BotState } from "../bot.script.ts";
import { initialState } from "../bot.script.ts";
import { answersWithoutPause } from "./loops.ts";
import { wasOutOfHoursSent } from "./out-of-hours.ts";

const instant = z.iso.datetime({ offset: true }).nullable();
/** Stored ids are 32-bit; a larger one, of a forged preview, would be an error in SQL. */
const storedId = z.int32();
const ids = z.array(z.number().int()).max(1_000);

/** A stored state, of a ticket or of a preview in the browser. A user's action may have written `isOver` alone. */
const stored = z.object({
  place: z.enum(["start", "queues", "options", "assistant", "waiting", "rating", "ended"]).optional(),
  queueId: storedId.nullable().default(null),
  path: ids.default([]),
  assistant: z
    .object({ kind: z.enum(["prompt", "integration"]), id: storedId })
    .nullable()
    .default(null),
  unanswered: ids.default([]),
  askedAt: instant.default(null),
  // Not in a state of the release before. Of a longer menu none: its lines are read as they are now, and the rest of the state is kept.
  shown: z
    .array(z.object({ option: z.string(), id: storedId }))
    .max(1_000)
    .catch([]),
  wrongAnswers: z.number().int().min(0).default(0),
  answeredAt: instant.default(null),
  lastMenuAt: instant.default(null),
  heardAt: instant.default(null),
  outOfHoursAt: instant.default(null),
  askedForNumber: z.boolean().default(false),
  toldToWait: z.boolean().default(false),
  lastText: z.string().default(""),
  repeats: z.number().int().min(0).default(0),
  lastReply: z.string().default(""),
  quickTurns: z.number().int().min(0).default(0),
  assistantAnswers: z.number().int().min(0).default(0),
  isOver: z.boolean(),
});

/** Parses a stored state. Null and anything invalid give the initial state: the conversation starts again. */
export function parseState(value: unknown): BotState {
  const parsed = stored.safeParse(value);
  if (!parsed.success) {
    return initialState;
  }
  const { place, ...state } = parsed.data;
  return { ...state, place: place ?? placeWithout(state) };
}

/**
 * The state that a new episode of the ticket begins with. The hour of the last out-of-hours message does not begin anew, nor the
 * count of an assistant's answers: one that ends the conversation would talk with a machine for ever.
 */
export function stateOfNewEpisode(before: BotState, at: Date): BotState {
  const outOfHoursAt = wasOutOfHoursSent(before, at) ? before.outOfHoursAt : null;
  const assistantAnswers = answersWithoutPause(before, at);
  return outOfHoursAt === null && assistantAnswers === 0
    ? initialState
    : { ...initialState, outOfHoursAt, assistantAnswers };
}

/** The place of a state that the release before wrote, which had none. */
function placeWithout({ queueId, lastMenuAt }: Pick<BotState, "queueId" | "lastMenuAt">): BotState["place"] {
  if (queueId !== null) {
    return "options";
  }
  return lastMenuAt === null ? "start" : "queues";
}
