import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findLatestTicketOf, insertTicket, lockTicketOf, readTicketReferences } from "../tickets.queries.ts";
import type { TicketRow } from "../tickets.queries.ts";
import { placeOf } from "./create-ticket.ts";

/**
 * The ticket to write to a contact in when nobody opens a conversation: their latest on that line or any, as it is; one
 * that is closed where they have none yet. ERR_NO_WAPP_FOUND or ERR_NO_DEF_WAPP_FOUND where there is no line to write by.
 */
export async function findOrCreateOutboundTicket(
  ctx: Ctx,
  wish: { readonly contactId: number; readonly connectionId: number | null; readonly userId: number | null },
): Promise<TicketRow & { readonly connectionId: number }> {
  const { contactId, connectionId, userId } = wish;
  const latest = await findLatestTicketOf(ctx, contactId, connectionId);
  if (latest && latest.connectionId !== null) {
    return { ...latest, connectionId: latest.connectionId };
  }
  const place = placeOf(
    await readTicketReferences(ctx, { contactId, connectionId, queueId: null, userId: null, actorId: userId }),
    connectionId,
  );
  const made =
    (await insertTicket(ctx, { ...place, contactId })) ?? (await lockTicketOf(ctx, place.connectionId, contactId));
  if (!made) {
    throw new AppError("ERR_CREATING_TICKET");
  }
  return { ...made, connectionId: place.connectionId };
}
