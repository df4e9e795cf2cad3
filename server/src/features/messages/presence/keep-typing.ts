import type { Ctx } from "#server/platform/ctx.ts";
import type { Services } from "#server/platform/services.ts";
import type { Address } from "#server/whatsapp/port.ts";
import { findAddress } from "../messages.queries.ts";
import { lineTypingEvent } from "./ephemeral-events.ts";

/** Phones show "typing" for somewhat longer than this (ms). */
const REPEAT_EVERY_MS = 8_000;

/** A chat of a line, in which somebody may be shown to type. */
export interface TypingChat {
  readonly companyId: number;
  readonly ticketId: number;
  readonly connectionId: number;
  readonly chat: Address;
}

/** Undefined where the contact has no address on this line. */
export async function findTypingChat(
  ctx: Ctx,
  { ticketId, connectionId, contactId }: { ticketId: number; connectionId: number; contactId: number },
): Promise<TypingChat | undefined> {
  const chat = await findAddress(ctx, connectionId, contactId);
  return chat && { companyId: ctx.companyId, ticketId, connectionId, chat };
}

/**
 * Shows the contact that somebody types, until the returned function is called. Lost without harm: nothing is stored, and a line
 * that is not connected, or cannot show it, shows nothing.
 */
export function keepTyping(
  { pubsub }: Pick<Services, "pubsub">,
  { companyId, ticketId, ...where }: TypingChat,
): () => void {
  const show = (isTyping: boolean) =>
    pubsub.publish(companyId, lineTypingEvent.topic, `assistant:${ticketId}`, { ...where, isTyping });
  show(true);
  const timer = setInterval(() => show(true), REPEAT_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    show(false);
  };
}
