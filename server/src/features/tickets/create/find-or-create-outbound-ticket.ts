import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findLatestTicketOf, insertTicket, lockTicketOf, readTicketReferences } from "../tickets.queries.ts";
import type { TicketRow } from "../tickets.queries.ts";
import { connectionOrThrow } from "./create-ticket.ts";

/**
 * Ticket for a message of ours that opens no conversation, such as a scheduled one: the contact's latest ticket on that
 * connection (null: on any), with its status unchanged; a new closed one where there is none. ERR_NO_WAPP_FOUND or
 * ERR_NO_DEF_WAPP_FOUND where there is no connection to send by.
 */
export async function findOrCreateOutboundTicket(
  ctx: Ctx,
  recipient: { readonly contactId: number; readonly connectionId: number | null; readonly userId: number | null },
): Promise<TicketRow & { readonly connectionId: number }> {
  const { contactId, connectionId, userId } = recipient;
  const latest = await findLatestTicketOf(ctx, contactId, connectionId);
  if (latest && latest.connectionId !== null) {
    return { ...latest, connectionId: latest.connectionId };
  }
  const target = connectionOrThrow(
    await readTicketReferences(ctx, { contactId, connectionId, queueId: null, userId: null, actorId: userId }),
    connectionId,
  );
  const created =
    (await insertTicket(ctx, { ...target, contactId })) ?? (await lockTicketOf(ctx, target.connectionId, contactId));
  if (!created) {
    throw new AppError("ERR_CREATING_TICKET");
  }
  return { ...created, connectionId: target.connectionId };
}
