import { isAdmin } from "@prosa/contract";
import type { BodyOf, tickets } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { ticketUpdated } from "../tickets.events.ts";
import { canPutInto } from "../tickets.policy.ts";
import { insertTicket, lockTicketOf, readTicketReferences, readOwner, saveTicket } from "../tickets.queries.ts";
import type { SavedTicket, TicketReferences } from "../tickets.queries.ts";
import { requireUserId } from "../tickets.service.ts";

/**
 * Opens a conversation that a user starts: a new ticket, or the contact's closed one in a new episode.
 * ERR_OTHER_OPEN_TICKET, with its owner, where the contact has an open or pending one on that connection (T-16).
 */
export async function createTicket(ctx: Ctx, request: BodyOf<typeof tickets.create>): Promise<SavedTicket> {
  const userId = requireUserId(ctx);
  const owner = request.status === "open" ? (request.userId ?? userId) : null;
  const queueId = request.queueId ?? null;
  checkMayCreate(ctx, queueId, owner);
  const target = await resolveReferences(ctx, { ...request, queueId, owner });

  const existing = await lockTicketOf(ctx, target.connectionId, request.contactId);
  const ticket =
    existing ??
    (await insertTicket(ctx, { ...target, contactId: request.contactId })) ??
    (await lockTicketOf(ctx, target.connectionId, request.contactId));
  if (!ticket) {
    throw new AppError("ERR_CREATING_TICKET");
  }
  if (ticket.status !== "closed") {
    throw new AppError("ERR_OTHER_OPEN_TICKET", { ticket: await readOwner(ctx, ticket.id) });
  }

  const change = { status: request.status, userId: owner, queueId, chatbot: false, awaitedUserId: owner };
  const episode = request.status === "open" ? "openStarted" : "openQueued";
  return saveTicket(ctx, ticket, change, episode, (opened) =>
    ticketUpdated(ticket.id, existing ? ticket : null, opened),
  );
}

/** A user who is not an admin must choose one of their own queues (specification 1 section 5). */
function checkMayCreate(ctx: Ctx, queueId: number | null, owner: number | null): void {
  const { actor } = ctx;
  if (actor.kind !== "user" || isAdmin(actor)) {
    return;
  }
  if (queueId === null) {
    throw new AppError("ERR_VALIDATION", { fields: { queueId: "Selecione uma fila" } });
  }
  const isForAnother = owner !== null && owner !== requireUserId(ctx);
  if (isForAnother || !canPutInto(actor, queueId)) {
    throw new AppError("ERR_NO_PERMISSION");
  }
}

/** Checks that contact, queue and owner are of this company. Without a connection the user's own is used, else the default one. */
async function resolveReferences(
  ctx: Ctx,
  request: {
    readonly contactId: number;
    readonly whatsappId?: number | null | undefined;
    readonly queueId: number | null;
    readonly owner: number | null;
  },
): Promise<{ readonly connectionId: number; readonly isGroup: boolean }> {
  const { contactId, whatsappId = null, queueId, owner } = request;
  const references = await readTicketReferences(ctx, {
    contactId,
    connectionId: whatsappId,
    queueId,
    userId: owner,
    actorId: requireUserId(ctx),
  });
  const target = connectionOrThrow(references, whatsappId);
  if (queueId !== null && !references.hasQueue) {
    throw new AppError("ERR_NO_QUEUE_FOUND");
  }
  if (owner !== null && !references.hasUser) {
    throw new AppError("ERR_NO_USER_FOUND");
  }
  return target;
}

/** ERR_NO_CONTACT_FOUND; ERR_NO_DEF_WAPP_FOUND without a default connection, ERR_NO_WAPP_FOUND without the requested one. */
export function connectionOrThrow(references: TicketReferences, whatsappId: number | null) {
  if (!references.hasContact) {
    throw new AppError("ERR_NO_CONTACT_FOUND");
  }
  if (references.connectionId === null) {
    throw new AppError(whatsappId === null ? "ERR_NO_DEF_WAPP_FOUND" : "ERR_NO_WAPP_FOUND");
  }
  return { connectionId: references.connectionId, isGroup: references.isGroup };
}
