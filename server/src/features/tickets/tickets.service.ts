import type { BodyOf, tickets } from "@prosa/contract";
import { allowAssistants } from "#server/features/queues/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, UserActor } from "#server/platform/ctx.ts";
import { lockIdleTickets, transferWaiting } from "./automation.queries.ts";
import type { Overdue } from "./automation.queries.ts";
import type { Courtesy } from "./tickets.courtesy.ts";
import { decideMove, decideTransfer } from "./tickets.decide.ts";
import { ticketDeleted, ticketRead, ticketUpdated } from "./tickets.events.ts";
import { canPutInto, mustAct, mustSee } from "./tickets.policy.ts";
import {
  deleteTicketRow,
  findTicket,
  lockTicket,
  lockTicketOf,
  readOpeningFacts,
  readOwner,
  saveTicket,
  setUnread,
} from "./tickets.queries.ts";
import type { EpisodeStep, TicketRow } from "./tickets.queries.ts";
import { closing, isChange } from "./tickets.state.ts";
import type { TicketChange, TicketMove, TransferTarget } from "./tickets.state.ts";
import { wishOf } from "./tickets.wish.ts";

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

export interface Transfer extends TransferTarget {
  readonly connectionId?: number | null;
}

/** Hands the ticket to a person, or to a queue where it waits (specification 1 section 4). Several facts must be this company's. */
export async function transferTicket(ctx: Ctx, id: number, target: Transfer): Promise<TicketRow> {
  return transfer(ctx, await lockTicket(ctx, id), target);
}

/** The verbs of PUT /tickets/{id}, told apart by what the body changes; then the contact is told, as is polite. */
export async function updateTicket(
  ctx: Ctx,
  id: number,
  body: BodyOf<typeof tickets.update>,
  courtesy: Courtesy,
): Promise<TicketRow> {
  const userId = personOf(ctx);
  const ticket = await lockTicket(ctx, id);
  mustSee(ctx.actor, ticket);
  const wish = wishOf(body, ticket, userId);
  if (wish.verb === "nothing") {
    return ticket;
  }
  if (wish.verb === "automation") {
    mustAct(ctx.actor, ticket);
    await allowAssistants(ctx, wish.change, ticket);
    return save(ctx, ticket, wish.change, "follow");
  }

  const after =
    wish.verb === "transfer"
      ? await transfer(ctx, ticket, wish.target)
      : await move(ctx, ticket, wish.verb, wish.queueId);
  if (after !== ticket) {
    await courtesy(ctx, { verb: wish.verb, before: ticket, after });
  }
  return after;
}

/** Ends conversations of a line that their contacts left open; `farewell` says so to each first. */
export async function closeIdleTickets(
  ctx: Ctx,
  overdue: Overdue,
  farewell: (ticket: TicketRow) => Promise<void>,
): Promise<number> {
  const idle = await lockIdleTickets(ctx, overdue);
  for (const ticket of idle) {
    await farewell(ticket);
    await save(ctx, ticket, closing, "finish");
  }
  return idle.length;
}

/** Puts tickets that wait without a queue into one, when their contact waited long enough. */
export async function transferWaitingTickets(ctx: Ctx, overdue: Overdue, queueId: number): Promise<number> {
  const moved = await transferWaiting(ctx, overdue, queueId);
  moved.forEach(({ id, from, to }) => ctx.emit(ticketUpdated(id, from, to)));
  return moved.length;
}

/** Deletes the ticket and its conversation; who may is a rule of the route (T-18). */
export async function deleteTicket(ctx: Ctx, id: number): Promise<void> {
  const ticket = await lockTicket(ctx, id);
  mustSee(ctx.actor, ticket);

  await deleteTicketRow(ctx, id);
  ctx.emit(ticketDeleted(id, ticket));
}

/**
 * The conversation was looked at: no message of it is unread, or only those that came since (M-14). Messages and receipts
 * are the caller's.
 */
export async function readTicket(ctx: Ctx, ticket: TicketRow, remaining = 0): Promise<void> {
  if (ticket.unreadMessages > remaining) {
    await setUnread(ctx, ticket.id, remaining);
    ctx.emit(remaining === 0 ? ticketRead(ticket.id, ticket) : ticketUpdated(ticket.id, ticket, ticket));
  }
}

/** ERR_NO_TICKET_FOUND, or ERR_NO_PERMISSION for a ticket that the actor may not see. */
export async function visibleTicket(ctx: Ctx, id: number): Promise<TicketRow> {
  const ticket = await findTicket(ctx, id);
  mustSee(ctx.actor, ticket);
  return ticket;
}

/** The person who acts: what a person does is refused to the machinery. */
export function actingPerson({ actor }: Ctx): UserActor {
  if (actor.kind !== "user") {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return actor;
}

export function personOf(ctx: Ctx): number {
  return actingPerson(ctx).userId;
}

/** Saves and tells; a change that alters nothing is not told. */
export async function save(
  ctx: Ctx,
  ticket: TicketRow,
  change: TicketChange & { readonly connectionId?: number },
  episode: EpisodeStep,
): Promise<TicketRow> {
  const isMoved = change.connectionId !== undefined && change.connectionId !== ticket.connectionId;
  if (!isMoved && !isChange(ticket, change)) {
    return ticket;
  }
  const saved = await saveTicket(ctx, ticket, change, episode);
  ctx.emit(ticketUpdated(ticket.id, ticket, saved));
  return saved;
}

async function move(ctx: Ctx, ticket: TicketRow, verb: TicketMove, queueId?: number | null): Promise<TicketRow> {
  const change = await decideMoveOrNameOwner(ctx, ticket, verb);
  if (!change) {
    return ticket;
  }
  if (queueId === undefined || queueId === ticket.queueId) {
    return save(ctx, ticket, change, episodeOf[verb]);
  }
  await checkTarget(ctx, ticket.contactId, { queueId });
  if (!canPutInto(ctx.actor, queueId)) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return save(ctx, ticket, { ...change, queueId }, episodeOf[verb]);
}

/** Somebody else's: say whose (T-12). */
async function decideMoveOrNameOwner(ctx: Ctx, ticket: TicketRow, verb: TicketMove): Promise<TicketChange | undefined> {
  try {
    return decideMove(actingPerson(ctx), ticket, verb);
  } catch (error) {
    if (error instanceof AppError && error.code === "ERR_TICKET_TAKEN") {
      const { user, queue } = await readOwner(ctx, ticket.id);
      throw new AppError("ERR_TICKET_TAKEN", { ticketId: ticket.id, user, queue }, { cause: error });
    }
    throw error;
  }
}

async function transfer(ctx: Ctx, ticket: TicketRow, target: Transfer): Promise<TicketRow> {
  const change = decideTransfer(actingPerson(ctx), ticket, target) ?? {};
  await checkTarget(ctx, ticket.contactId, target);
  const connectionId = await otherConnection(ctx, ticket, target.connectionId);
  const episode = (change.status ?? ticket.status) === "open" ? "start" : "requeue";
  return save(ctx, ticket, { ...change, ...(connectionId !== undefined && { connectionId }) }, episode);
}

/** Queue, person and connection must be of this company: foreign keys do not ask whose they are. */
export async function checkTarget(ctx: Ctx, contactId: number | null, target: Transfer): Promise<void> {
  const { queueId = null, userId = null, connectionId = null } = target;
  const facts = await readOpeningFacts(ctx, { contactId, connectionId, queueId, userId, actorId: null });
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
