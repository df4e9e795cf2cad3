import { AppError, requireUser } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { canPutInto } from "../tickets.policy.ts";
import { lockTicket, readOwner } from "../tickets.queries.ts";
import type { EpisodeStep, SavedTicket, TicketRow } from "../tickets.queries.ts";
import { saveTicketChange } from "../tickets.service.ts";
import type { TicketChange, TicketMove } from "../tickets.state.ts";
import { decideMove } from "./decide-move.ts";
import { checkTransferTarget } from "./transfer-ticket.ts";

const episodeOf: Readonly<Record<TicketMove, EpisodeStep>> = {
  accept: "start",
  return: "requeue",
  resolve: "finish",
  reopen: "openStarted",
};

/**
 * Accepts a pending ticket: the actor becomes its owner. Of two users at once one wins and the other gets ERR_TICKET_TAKEN
 * with the owner (T-12). Accepting one's own open ticket changes nothing.
 */
export async function acceptTicket(ctx: Ctx, id: number): Promise<TicketRow> {
  return (await moveTicket(ctx, await lockTicket(ctx, id), "accept")).ticket;
}

/** Returns an open ticket to pending, without an owner. */
export async function returnTicket(ctx: Ctx, id: number): Promise<TicketRow> {
  return (await moveTicket(ctx, await lockTicket(ctx, id), "return")).ticket;
}

/** Closes the ticket. The queue stays; bot, prompt and integration are removed. */
export async function resolveTicket(ctx: Ctx, id: number): Promise<TicketRow> {
  return (await moveTicket(ctx, await lockTicket(ctx, id), "resolve")).ticket;
}

/** Moves a locked ticket; accepting or reopening may also put it into another queue. */
export async function moveTicket(
  ctx: Ctx,
  ticket: TicketRow,
  verb: TicketMove,
  queueId?: number | null,
): Promise<SavedTicket> {
  const change = await decideMoveOrThrowOwner(ctx, ticket, verb);
  if (!change) {
    return { ticket, view: null };
  }
  if (queueId === undefined || queueId === ticket.queueId) {
    return saveTicketChange(ctx, ticket, change, episodeOf[verb]);
  }
  await checkTransferTarget(ctx, ticket.contactId, { queueId });
  if (!canPutInto(ctx.actor, queueId)) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return saveTicketChange(ctx, ticket, { ...change, queueId }, episodeOf[verb]);
}

/** Adds the owner to ERR_TICKET_TAKEN (T-12). */
async function decideMoveOrThrowOwner(
  ctx: Ctx,
  ticket: TicketRow,
  verb: TicketMove,
): Promise<TicketChange | undefined> {
  try {
    return decideMove(requireUser(ctx), ticket, verb);
  } catch (error) {
    if (error instanceof AppError && error.code === "ERR_TICKET_TAKEN") {
      const { user, queue } = await readOwner(ctx, ticket.id);
      throw new AppError("ERR_TICKET_TAKEN", { ticketId: ticket.id, user, queue }, { cause: error });
    }
    throw error;
  }
}
