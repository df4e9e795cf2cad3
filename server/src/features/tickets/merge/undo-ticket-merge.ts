import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { rebuildLastMessage } from "../activity/index.ts";
import { ticketReloaded, ticketUpdated } from "../tickets.events.ts";
import { findTicket, lockTickets } from "../tickets.queries.ts";
import { isMixed, restoreTickets } from "./undo-ticket-merge.queries.ts";
import type { TicketSnapshot } from "./undo-ticket-merge.queries.ts";

/**
 * Undoes `mergeTickets`: this contact, which was merged away, gets its own tickets back, with their episodes, tags and products.
 * Resolves to the ids of those that had taken one in and were changed since, which stay as they are: call `rebuildPartedTickets` for
 * them once the messages are back. Throws ERR_UNDO_TOO_LATE where conversations of both have become one by a transfer since: what the
 * kept contact wrote would go to the other person.
 */
export async function undoTicketMerge(
  ctx: Ctx,
  contactId: number,
  snapshot: TicketSnapshot,
  merged: readonly { readonly id: number; readonly version: number }[],
): Promise<number[]> {
  const ids = merged.map(({ id }) => id);
  const before = new Map((await lockTickets(ctx, ids)).map((ticket) => [ticket.id, ticket]));
  if (await isMixed(ctx, contactId, snapshot)) {
    throw new AppError("ERR_UNDO_TOO_LATE");
  }
  const { inserted, changed, parted } = await restoreTickets(ctx, contactId, snapshot, merged);
  for (const id of inserted) {
    ctx.emit(ticketUpdated(id, null, await findTicket(ctx, id)));
  }
  for (const id of changed) {
    const ticket = await findTicket(ctx, id);
    ctx.emit(ticketUpdated(id, before.get(id) ?? ticket, ticket));
    ctx.emit(ticketReloaded(id, null));
  }
  return parted;
}

/** What tickets tell of their messages, after the other contact got back its own; open pages fetch them again. */
export async function rebuildPartedTickets(ctx: Ctx, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    await rebuildLastMessage(ctx, id);
    ctx.emit(ticketReloaded(id, null));
  }
}
