import type { Ctx } from "#server/platform/ctx.ts";
import { ticketUpdated } from "../tickets.events.ts";
import type { TicketRow } from "../tickets.queries.ts";
import { saveTicketChange } from "../tickets.service.ts";
import { closing } from "../tickets.state.ts";
import { lockIdleTickets, transferWaitingRows } from "./overdue-tickets.queries.ts";
import type { MovedTicket, OverdueCriteria } from "./overdue-tickets.queries.ts";

/** Resolves open tickets that their contacts left without an answer; `sendFarewell` notifies each contact first. */
export async function closeIdleTickets(
  ctx: Ctx,
  criteria: OverdueCriteria,
  sendFarewell: (ticket: TicketRow) => Promise<void>,
): Promise<number> {
  const idle = await lockIdleTickets(ctx, criteria);
  for (const ticket of idle) {
    await sendFarewell(ticket);
    await saveTicketChange(ctx, ticket, closing, "finish");
  }
  return idle.length;
}

/**
 * Transfers pending tickets without a queue to the given one after the time limit; `tell` lets each contact know.
 * Returns how many.
 */
export async function transferWaitingTickets(
  ctx: Ctx,
  criteria: OverdueCriteria,
  queueId: number,
  tell: (moved: readonly MovedTicket[]) => Promise<void>,
): Promise<number> {
  const moved = await transferWaitingRows(ctx, criteria, queueId);
  moved.forEach(({ id, from, to }) => ctx.emit(ticketUpdated(id, from, to)));
  await tell(moved);
  return moved.length;
}
