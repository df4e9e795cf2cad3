import type { Lines } from "#server/features/connections/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Actor } from "#server/platform/ctx.ts";
import type { Edge } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";
import { findConnectedLine } from "./contacts.queries.ts";

/** Asks a connected line whether a number is on WhatsApp. Undefined: the line is away after all. Null: it is not. */
export type CheckNumber = (actor: Actor, connectionId: number, number: string) => Promise<PersonRef | null | undefined>;

/** Asks the line wherever it runs. Throws ERR_WAPP_CHECK_CONTACT where it is connected and gives no answer. */
export function askLines({ log }: Pick<Services, "log">, lines: () => Pick<Lines, "ask">): CheckNumber {
  return async (actor, connectionId, number) => {
    try {
      const known = new Map(await lines().ask(actor, connectionId, "checkNumbers", [number]));
      return known.get(number) ?? null;
    } catch (error) {
      log.info({ err: error, connectionId }, "a number could not be checked");
      if (error instanceof SendError && error.reason === "notConnected") {
        return undefined;
      }
      throw new AppError("ERR_WAPP_CHECK_CONTACT", { number }, { cause: error });
    }
  };
}

/**
 * The number as WhatsApp spells it. Throws ERR_WAPP_INVALID_CONTACT when WhatsApp does not know it. Where no line can
 * answer nobody can tell: the number is taken as it is written, and spelled right when the contact shows up.
 */
export async function checkedNumber(
  edge: Pick<Edge, "read" | "actor">,
  check: CheckNumber,
  number: string,
): Promise<string> {
  const connectionId = await edge.read((ctx) => findConnectedLine(ctx));
  if (connectionId === undefined || !edge.actor) {
    return number;
  }
  const person = await check(edge.actor, connectionId, number);
  if (person === null) {
    throw new AppError("ERR_WAPP_INVALID_CONTACT", { number });
  }
  return person?.phone ?? number;
}
