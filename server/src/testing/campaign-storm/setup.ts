import { z } from "zod";
import type { Clock } from "#server/platform/clock/index.ts";

const setup = z.object({
  databaseUrl: z.string(),
  folder: z.string(),
  /** What the lines sent: a line of JSON each. */
  sentFile: z.string(),
  connectionIds: z.array(z.number()),
  /** Milliseconds of the story, and of the machine, at its beginning. */
  storyBegan: z.number(),
  began: z.number(),
  /** Seconds of the story in one of the machine. */
  speed: z.number(),
});

/** What the processes of a campaign's storm share. */
export type StormSetup = z.output<typeof setup>;

export function readSetup(text: string): StormSetup {
  return setup.parse(JSON.parse(text));
}

/** The same time in all processes, faster than the machine's. */
export function storyClock({ storyBegan, began, speed }: StormSetup): Clock {
  return { now: () => new Date(storyBegan + (Date.now() - began) * speed) };
}

const sentMessage = z.object({
  connectionId: z.number(),
  waId: z.string(),
  number: z.string(),
  text: z.string(),
  at: z.number(),
});
/** A message that a line sent. After a crash it is sent again under its id, which WhatsApp recognises. */
export type SentMessage = z.output<typeof sentMessage>;

export function readSent(text: string): SentMessage[] {
  return text
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => sentMessage.parse(JSON.parse(line)));
}
