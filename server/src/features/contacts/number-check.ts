import { AppError } from "#server/platform/ctx.ts";
import type { Edge } from "#server/platform/http/index.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";
import { findConnectedLine } from "./contacts.queries.ts";

/** Asks a connected line whether a number is on WhatsApp. Undefined: the line could not be asked. Null: it is not. */
export type CheckNumber = (connectionId: number, number: string) => Promise<PersonRef | null | undefined>;

/**
 * The number as WhatsApp spells it. Throws ERR_WAPP_INVALID_CONTACT when WhatsApp does not know it. Where no line is
 * connected nobody can tell: the number is taken as it is written, and spelled right when the contact shows up.
 */
export async function checkedNumber(edge: Pick<Edge, "read">, check: CheckNumber, number: string): Promise<string> {
  const connectionId = await edge.read((ctx) => findConnectedLine(ctx));
  if (connectionId === undefined) {
    return number;
  }
  const person = await check(connectionId, number);
  if (person === null) {
    throw new AppError("ERR_WAPP_INVALID_CONTACT", { number });
  }
  return person?.phone ?? number;
}
