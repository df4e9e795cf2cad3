import type { Ctx } from "#server/platform/ctx.ts";
import { ticketUpdated } from "../tickets.events.ts";
import type { TicketRow } from "../tickets.queries.ts";
import { save } from "../tickets.service.ts";
import { closing } from "../tickets.state.ts";
import { lockIdleTickets, transferWaiting } from "./overdue-tickets.queries.ts";
import type { OverdueCriteria } from "./overdue-tickets.queries.ts";

/** Ends conversations of a line that their contacts left open; `farewell` says so to each first. */
export async function closeIdleTickets(
  ctx: Ctx,
  overdue: OverdueCriteria,
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
export async function transferWaitingTickets(ctx: Ctx, overdue: OverdueCriteria, queueId: number): Promise<number> {
  const moved = await transferWaiting(ctx, overdue, queueId);
  moved.forEach(({ id, from, to }) => ctx.emit(ticketUpdated(id, from, to)));
  return moved.length;
}
