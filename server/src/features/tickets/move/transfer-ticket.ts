import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { lockTicket, lockTicketOf, readTicketReferences, readOwner } from "../tickets.queries.ts";
import type { TicketRow } from "../tickets.queries.ts";
import { requireUser, save } from "../tickets.service.ts";
import type { TransferTarget } from "../tickets.state.ts";
import { decideTransfer } from "./decide-move.ts";

export interface Transfer extends TransferTarget {
  readonly connectionId?: number | null;
}

/** Hands the ticket to a person, or to a queue where it waits (specification 1 section 4). Several facts must be this company's. */
export async function transferTicket(ctx: Ctx, id: number, target: Transfer): Promise<TicketRow> {
  return transfer(ctx, await lockTicket(ctx, id), target);
}

export async function transfer(ctx: Ctx, ticket: TicketRow, target: Transfer): Promise<TicketRow> {
  const change = decideTransfer(requireUser(ctx), ticket, target) ?? {};
  await checkTransferTarget(ctx, ticket.contactId, target);
  const connectionId = await otherConnection(ctx, ticket, target.connectionId);
  const episode = (change.status ?? ticket.status) === "open" ? "start" : "requeue";
  return save(ctx, ticket, { ...change, ...(connectionId !== undefined && { connectionId }) }, episode);
}

/** Queue, person and connection must be of this company: foreign keys do not ask whose they are. */
export async function checkTransferTarget(ctx: Ctx, contactId: number | null, target: Transfer): Promise<void> {
  const { queueId = null, userId = null, connectionId = null } = target;
  const facts = await readTicketReferences(ctx, { contactId, connectionId, queueId, userId, actorId: null });
  if (queueId !== null && !facts.hasQueue) {
    throw new AppError("ERR_NO_QUEUE_FOUND");
  }
  if (userId !== null && !facts.hasUser) {
    throw new AppError("ERR_NO_USER_FOUND");
  }
  if (connectionId !== null && facts.connectionId === null) {
    throw new AppError("ERR_NO_WAPP_FOUND");
  }
}

/** The connection to move to; ERR_OTHER_OPEN_TICKET where the contact has a ticket there already: one each, for ever. */
async function otherConnection(
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
