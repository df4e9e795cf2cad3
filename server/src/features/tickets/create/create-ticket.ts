import { isAdmin } from "@prosa/contract";
import type { BodyOf, tickets } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { ticketUpdated } from "../tickets.events.ts";
import { canPutInto } from "../tickets.policy.ts";
import { insertTicket, lockTicketOf, readTicketReferences, readOwner, saveTicket } from "../tickets.queries.ts";
import type { TicketReferences, TicketRow } from "../tickets.queries.ts";
import { requireUserId } from "../tickets.service.ts";

/**
 * Opens a conversation from our side: a new ticket, or the contact's closed one in a new episode.
 * ERR_OTHER_OPEN_TICKET, with whose it is, where one is live on that connection (T-16).
 */
export async function createTicket(ctx: Ctx, wish: BodyOf<typeof tickets.create>): Promise<TicketRow> {
  const userId = requireUserId(ctx);
  const owner = wish.status === "open" ? (wish.userId ?? userId) : null;
  const queueId = wish.queueId ?? null;
  mayOpen(ctx, queueId, owner);
  const place = await resolveReferences(ctx, { ...wish, queueId, owner });

  const known = await lockTicketOf(ctx, place.connectionId, wish.contactId);
  const ticket =
    known ??
    (await insertTicket(ctx, { ...place, contactId: wish.contactId })) ??
    (await lockTicketOf(ctx, place.connectionId, wish.contactId));
  if (!ticket) {
    throw new AppError("ERR_CREATING_TICKET");
  }
  if (ticket.status !== "closed") {
    throw new AppError("ERR_OTHER_OPEN_TICKET", { ticket: await readOwner(ctx, ticket.id) });
  }

  const change = { status: wish.status, userId: owner, queueId, chatbot: false };
  const opened = await saveTicket(ctx, ticket, change, wish.status === "open" ? "openStarted" : "openQueued");
  ctx.emit(ticketUpdated(ticket.id, known ? ticket : null, opened));
  return opened;
}

/** A queue must be chosen unless the person is an admin (specification 1 section 5), and be one of theirs. */
function mayOpen(ctx: Ctx, queueId: number | null, owner: number | null): void {
  const { actor } = ctx;
  if (actor.kind !== "user" || isAdmin(actor)) {
    return;
  }
  if (queueId === null) {
    throw new AppError("ERR_VALIDATION", { fields: { queueId: "Required" } });
  }
  const isForAnother = owner !== null && owner !== requireUserId(ctx);
  if (isForAnother || !canPutInto(actor, queueId)) {
    throw new AppError("ERR_NO_PERMISSION");
  }
}

/** Everything named must be of this company; without a connection the user's own serves, else the default one. */
async function resolveReferences(
  ctx: Ctx,
  wish: {
    readonly contactId: number;
    readonly whatsappId?: number | null | undefined;
    readonly queueId: number | null;
    readonly owner: number | null;
  },
): Promise<{ readonly connectionId: number; readonly isGroup: boolean }> {
  const { contactId, whatsappId = null, queueId, owner } = wish;
  const facts = await readTicketReferences(ctx, {
    contactId,
    connectionId: whatsappId,
    queueId,
    userId: owner,
    actorId: requireUserId(ctx),
  });
  const place = placeOf(facts, whatsappId);
  if (queueId !== null && !facts.hasQueue) {
    throw new AppError("ERR_NO_QUEUE_FOUND");
  }
  if (owner !== null && !facts.hasUser) {
    throw new AppError("ERR_NO_USER_FOUND");
  }
  return place;
}

/** ERR_NO_CONTACT_FOUND, or that there is no line. */
export function placeOf(facts: TicketReferences, whatsappId: number | null) {
  if (!facts.hasContact) {
    throw new AppError("ERR_NO_CONTACT_FOUND");
  }
  if (facts.connectionId === null) {
    throw new AppError(whatsappId === null ? "ERR_NO_DEF_WAPP_FOUND" : "ERR_NO_WAPP_FOUND");
  }
  return { connectionId: facts.connectionId, isGroup: facts.isGroup };
}
