import type { Lines } from "#server/features/connections/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Actor } from "#server/platform/ctx.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";
import { findCheckingConnection } from "./contacts.queries.ts";

/** Asks a connected line whether a number is on WhatsApp. Null: it is not. Undefined: the line is not connected any more. */
export type CheckNumber = (actor: Actor, connectionId: number, number: string) => Promise<PersonRef | null | undefined>;

/** Checks numbers by line RPC. Throws ERR_WAPP_CHECK_CONTACT if the line is connected and does not answer. */
export function checkNumberByLine({ log }: Pick<Services, "log">, lines: () => Pick<Lines, "call">): CheckNumber {
  return async (actor, connectionId, number) => {
    try {
      const known = new Map(await lines().call(actor, connectionId, "checkNumbers", [number]));
      return known.get(number) ?? null;
    } catch (error) {
      log.info({ err: error, connectionId }, "number check failed");
      if (error instanceof SendError && error.reason === "notConnected") {
        return undefined;
      }
      throw new AppError("ERR_WAPP_CHECK_CONTACT", { number }, { cause: error });
    }
  };
}

/**
 * Returns the number as WhatsApp spells it. Throws ERR_WAPP_INVALID_CONTACT if WhatsApp does not know it. Without a
 * connected line the number is returned as written; the contact resolver corrects it with the first message.
 */
export async function verifyNumber(
  edge: Pick<RequestScope, "read" | "actor">,
  check: CheckNumber,
  number: string,
): Promise<string> {
  const connectionId = await edge.read((ctx) => findCheckingConnection(ctx));
  if (connectionId === undefined || !edge.actor) {
    return number;
  }
  const person = await check(edge.actor, connectionId, number);
  if (person === null) {
    throw new AppError("ERR_WAPP_INVALID_CONTACT", { number });
  }
  return person?.phone ?? number;
}
