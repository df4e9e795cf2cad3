import { AppError, requireUser } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { mergeTicket } from "../merge/index.ts";
import { ticketDeleted, ticketReloaded } from "../tickets.events.ts";
import { deleteTicketRow, lockTicket, lockTicketOf, readTicketReferences, readOwner } from "../tickets.queries.ts";
import type { SavedTicket, TicketReferences, TicketRow } from "../tickets.queries.ts";
import { saveTicketChange } from "../tickets.service.ts";
import type { TicketChange, TransferTarget } from "../tickets.state.ts";
import { decideTransfer } from "./decide-move.ts";
import type { JoinConversation } from "./join-conversation-port.ts";

export interface Transfer extends TransferTarget {
  readonly connectionId?: number | null;
}

/** Transfers the ticket to a user, or to a queue where it is pending (specification 1 section 4). */
export async function transferTicket(ctx: Ctx, id: number, target: TransferTarget): Promise<TicketRow> {
  const ticket = await lockTicket(ctx, id);
  const change = await decideAndCheck(ctx, ticket, target);
  return (await saveTransfer(ctx, ticket, change)).ticket;
}

/**
 * Transfers a locked ticket, also to another connection. What the contact has there is joined to it where it is closed;
 * ERR_OTHER_OPEN_TICKET, with its owner, where it is open or pending (T-16).
 */
export async function transferLockedTicket(
  ctx: Ctx,
  ticket: TicketRow,
  target: Transfer,
  joinConversation: JoinConversation,
): Promise<SavedTicket> {
  const change = await decideAndCheck(ctx, ticket, target);
  const { connectionId = null } = target;
  if (connectionId === null || connectionId === ticket.connectionId) {
    return saveTransfer(ctx, ticket, change);
  }
  await freeConnection(ctx, ticket, connectionId, joinConversation);
  return saveTransfer(ctx, ticket, { ...change, connectionId });
}

async function decideAndCheck(ctx: Ctx, ticket: TicketRow, target: Transfer): Promise<TicketChange> {
  const change = decideTransfer(requireUser(ctx), ticket, target) ?? {};
  await checkTransferTarget(ctx, ticket.contactId, target);
  return change;
}

async function saveTransfer(
  ctx: Ctx,
  ticket: TicketRow,
  change: TicketChange & { readonly connectionId?: number },
): Promise<SavedTicket> {
  return saveTicketChange(ctx, ticket, change, (change.status ?? ticket.status) === "open" ? "start" : "requeue");
}

/**
 * Which of a queue and an agent a conversation can be given to: the company's own, and nobody who has not accepted their invitation.
 * For other software, whose answer is said all the same; people are told by `checkTransferTarget`.
 */
export async function findTargets(
  ctx: Ctx,
  { queueId, userId }: { readonly queueId: number | null; readonly userId: number | null },
): Promise<Pick<TicketReferences, "hasQueue" | "hasUser">> {
  return readTicketReferences(ctx, { contactId: null, connectionId: null, queueId, userId, actorId: null });
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

/**
 * There is one ticket for each contact and connection (behaviour 4): joins the closed one of the connection to this ticket, with its
 * messages, notes, episodes and labels.
 */
async function freeConnection(
  ctx: Ctx,
  ticket: TicketRow,
  connectionId: number,
  joinConversation: JoinConversation,
): Promise<void> {
  const other = await lockTicketOf(ctx, connectionId, ticket.contactId);
  if (!other) {
    return;
  }
  if (other.status !== "closed") {
    throw new AppError("ERR_OTHER_OPEN_TICKET", { ticket: await readOwner(ctx, other.id) });
  }
  const joined = { from: other.id, into: ticket.id };
  await joinConversation(ctx, joined, ticket.contactId);
  await mergeTicket(ctx, joined, 0);
  await deleteTicketRow(ctx, other.id);
  // Before the deletion is published: browsers that show the closed one switch to this.
  ctx.emit(ticketReloaded(ticket.id, other.id));
  ctx.emit(ticketDeleted(other.id, other));
}
