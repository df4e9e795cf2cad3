import type { BodyOf, tickets } from "@prosa/contract";
import { moveBetween } from "../tickets.state.ts";
import type { TicketChange, TicketMove, TicketState, TransferTarget } from "../tickets.state.ts";

/** What a PUT /tickets/{id} requests. */
export type TicketIntent =
  | { readonly verb: TicketMove; readonly queueId?: number | null }
  | { readonly verb: "transfer"; readonly target: TransferTarget & { readonly connectionId?: number | null } }
  | { readonly verb: "automation"; readonly change: TicketChange }
  | { readonly verb: "nothing" };

/**
 * The verb behind a body (specification 1 section 4): a different status is a move; another owner, queue or connection is
 * a transfer. `{ status: "open" }` with a queue accepts into that queue. `{ status: "open" }` for an open ticket is a late
 * accept: the verb throws who owns it. To take an open ticket over, the body leaves the status out, or brings a note: a note
 * makes every body that says to whom a transfer, also one to the ticket's own queue. `{ status: "closed" }` resolves, whatever
 * else the body holds, because callers that close a ticket also send its owner.
 */
export function parseIntent(
  body: BodyOf<typeof tickets.update>,
  ticket: TicketState & { readonly connectionId: number | null },
  actorId: number,
): TicketIntent {
  const { status, userId, queueId, whatsappId } = body;
  if (status === "closed" && ticket.status !== "closed") {
    return { verb: moveBetween(ticket.status, status) };
  }
  if (hasTransferNote(body)) {
    return { verb: "transfer", target: targetOf(body, ticket, actorId) };
  }
  // The user of a pending ticket is no owner: it waits for them, and may be transferred to them (decision 0144).
  const ownerId = ticket.status === "pending" && status !== "pending" ? null : ticket.userId;
  const isForAnother = typeof userId === "number" && userId !== actorId && userId !== ownerId;
  const isOtherConnection = typeof whatsappId === "number" && whatsappId !== ticket.connectionId;
  const isOtherQueue = queueId !== undefined && queueId !== ticket.queueId;
  const isAccept = status === "open" && !isForAnother && !isOtherConnection;

  if (isAccept && ticket.status === "open" && !isOtherQueue) {
    return { verb: "accept" };
  }
  if (isAccept && ticket.status !== "open") {
    const verb = moveBetween(ticket.status, "open");
    return isOtherQueue ? { verb, queueId } : { verb };
  }
  const isTakeover = status === undefined && userId === actorId && ownerId !== actorId;
  const isToOtherQueue = isOtherQueue && status !== "closed";
  if (isForAnother || isOtherConnection || isTakeover || isToOtherQueue) {
    return { verb: "transfer", target: targetOf(body, ticket, actorId) };
  }
  if (status !== undefined && status !== ticket.status) {
    return { verb: moveBetween(ticket.status, status) };
  }
  const change = automationOf(body);
  return Object.keys(change).length > 0 ? { verb: "automation", change } : { verb: "nothing" };
}

/** A note alone names nobody who would get the ticket, and with `{ status: "closed" }` nobody does. */
function hasTransferNote({ note, status, userId, queueId, whatsappId }: BodyOf<typeof tickets.update>): boolean {
  const isAddressed = userId !== undefined || queueId !== undefined || typeof whatsappId === "number";
  return note !== undefined && status !== "closed" && isAddressed;
}

function targetOf(body: BodyOf<typeof tickets.update>, ticket: TicketState, actorId: number) {
  const { userId, queueId, whatsappId } = body;
  // Only the connection changes: queue and owner stay.
  const keepsOwner = userId === undefined && queueId === undefined && ticket.status === "open";
  const owner = keepsOwner ? ticket.userId : userId === actorId && body.status === "pending" ? null : userId;
  return {
    ...(owner !== undefined && { userId: owner }),
    ...(queueId !== undefined && { queueId }),
    ...(whatsappId !== undefined && { connectionId: whatsappId }),
  };
}

function automationOf({ useIntegration, promptId, integrationId }: BodyOf<typeof tickets.update>): TicketChange {
  return {
    ...(typeof useIntegration === "boolean" && { useIntegration }),
    ...(promptId !== undefined && { promptId }),
    ...(integrationId !== undefined && { integrationId }),
  };
}
