import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { lockTicket, lockTicketOf, readTicketReferences, readOwner } from "../tickets.queries.ts";
import type { SavedTicket, TicketRow } from "../tickets.queries.ts";
import { requireUser, saveTicketChange } from "../tickets.service.ts";
import type { TransferTarget } from "../tickets.state.ts";
import { decideTransfer } from "./decide-move.ts";

export interface Transfer extends TransferTarget {
  readonly connectionId?: number | null;
}

/** Transfers the ticket to a user, to a queue where it is pending, or to another connection (specification 1 section 4). */
export async function transferTicket(ctx: Ctx, id: number, target: Transfer): Promise<TicketRow> {
  return (await transferLockedTicket(ctx, await lockTicket(ctx, id), target)).ticket;
}

/** Transfers a locked ticket. */
export async function transferLockedTicket(ctx: Ctx, ticket: TicketRow, target: Transfer): Promise<SavedTicket> {
  const change = decideTransfer(requireUser(ctx), ticket, target) ?? {};
  await checkTransferTarget(ctx, ticket.contactId, target);
  const connectionId = await newConnection(ctx, ticket, target.connectionId);
  const episode = (change.status ?? ticket.status) === "open" ? "start" : "requeue";
  return saveTicketChange(ctx, ticket, { ...change, ...(connectionId !== undefined && { connectionId }) }, episode);
}

/** Throws unless queue, user and connection are of this company: a foreign key by id alone does not check the company. */
export async function checkTransferTarget(ctx: Ctx, contactId: number | null, target: Transfer): Promise<void> {
  const { queueId = null, userId = null, connectionId = null } = target;
  const references = await readTicketReferences(ctx, { contactId, connectionId, queueId, userId, actorId: null });
  if (queueId !== null && !references.hasQueue) {
    throw new AppError("ERR_NO_QUEUE_FOUND");
  }
  if (userId !== null && !references.hasUser) {
    throw new AppError("ERR_NO_USER_FOUND");
  }
  if (connectionId !== null && references.connectionId === null) {
    throw new AppError("ERR_NO_WAPP_FOUND");
  }
}

/** The connection to move to; ERR_OTHER_OPEN_TICKET where the contact has a ticket there: one row for each contact and connection. */
async function newConnection(
  ctx: Ctx,
  ticket: TicketRow,
  connectionId: number | null | undefined,
): Promise<number | undefined> {
  if (connectionId === undefined || connectionId === null || connectionId === ticket.connectionId) {
    return undefined;
  }
  const other = await lockTicketOf(ctx, connectionId, ticket.contactId);
  if (other) {
    throw new AppError("ERR_OTHER_OPEN_TICKET", { ticket: await readOwner(ctx, other.id) });
  }
  return connectionId;
}
