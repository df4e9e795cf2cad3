import type { Ctx } from "#server/platform/ctx.ts";
import { ticketTransferred } from "../tickets.events.ts";
import type { TicketRow } from "../tickets.queries.ts";
import { requireUserId } from "../tickets.service.ts";

type Assigned = Pick<TicketRow, "id" | "status" | "userId">;

/**
 * Tells the user to whom somebody else gave these tickets, once for all of them (T-14); a ticket that goes to a queue is in
 * the list of everybody there.
 */
export function tellNewOwner(
  ctx: Ctx,
  transfers: readonly { readonly before: Assigned; readonly after: Assigned }[],
  noteId: number | null,
): void {
  const fromUserId = requireUserId(ctx);
  const handed = transfers.flatMap(({ before, after: { id, status, userId } }) =>
    status === "open" && userId !== null && userId !== fromUserId && userId !== before.userId
      ? { ticketId: id, toUserId: userId }
      : [],
  );
  const [first] = handed;
  if (first) {
    ctx.emit(ticketTransferred({ ...first, fromUserId, noteId, count: handed.length }));
  }
}
