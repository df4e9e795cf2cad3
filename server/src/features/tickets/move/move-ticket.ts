import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { canPutInto } from "../tickets.policy.ts";
import { lockTicket, readOwner } from "../tickets.queries.ts";
import type { EpisodeStep, TicketRow } from "../tickets.queries.ts";
import { requireUser, save } from "../tickets.service.ts";
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
 * Takes a waiting ticket: the actor owns it from now on. Of two at once one wins and the other gets ERR_TICKET_TAKEN
 * with who has it (T-12). Accepting what is one's own already changes nothing.
 */
export async function acceptTicket(ctx: Ctx, id: number): Promise<TicketRow> {
  return move(ctx, await lockTicket(ctx, id), "accept");
}

/** Puts an open ticket back among those that wait, without an owner. */
export async function returnTicket(ctx: Ctx, id: number): Promise<TicketRow> {
  return move(ctx, await lockTicket(ctx, id), "return");
}

/** Ends the conversation. The queue stays; automation lets go of the ticket. */
export async function resolveTicket(ctx: Ctx, id: number): Promise<TicketRow> {
  return move(ctx, await lockTicket(ctx, id), "resolve");
}

export async function move(ctx: Ctx, ticket: TicketRow, verb: TicketMove, queueId?: number | null): Promise<TicketRow> {
  const change = await decideMoveOrNameOwner(ctx, ticket, verb);
  if (!change) {
    return ticket;
  }
  if (queueId === undefined || queueId === ticket.queueId) {
    return save(ctx, ticket, change, episodeOf[verb]);
  }
  await checkTransferTarget(ctx, ticket.contactId, { queueId });
  if (!canPutInto(ctx.actor, queueId)) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return save(ctx, ticket, { ...change, queueId }, episodeOf[verb]);
}

/** Somebody else's: say whose (T-12). */
async function decideMoveOrNameOwner(ctx: Ctx, ticket: TicketRow, verb: TicketMove): Promise<TicketChange | undefined> {
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
