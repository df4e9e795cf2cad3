import { z } from "zod";

/** What a flow does besides speaking (behaviour 6): it stops, or gives the conversation to a queue or an agent. */
export interface FlowCommand {
  readonly queueId: number | null;
  readonly userId: number | null;
}

const someId = z.coerce.number().int().positive().max(2_147_483_647).nullish();
const command = z
  .object({ stopBot: z.union([z.boolean(), z.stringbool()]).nullish(), queueId: someId, userId: someId })
  .refine(({ stopBot, queueId, userId }) => stopBot === true || queueId != null || userId != null);

/** Undefined for anything else. */
export function readCommand(given: unknown): FlowCommand | undefined {
  const { data } = command.safeParse(given);
  return data && { queueId: data.queueId ?? null, userId: data.userId ?? null };
}

const maxCommand = 500;

/** A text like `#{"stopBot":true}` or `#{"queueId":3,"userId":7}`; undefined for any other. */
export function readTextCommand(text: string): FlowCommand | undefined {
  if (text.length > maxCommand) {
    return undefined;
  }
  const [, json] = /^\s*#\s*(\{[^]*\})\s*$/u.exec(text) ?? [];
  if (json === undefined) {
    return undefined;
  }
  try {
    return readCommand(JSON.parse(json));
  } catch {
    return undefined;
  }
}
