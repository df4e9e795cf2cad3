import type { Ctx } from "#server/platform/ctx.ts";
import type { JobPriority } from "#server/platform/job-priority.ts";
import type { TicketRow } from "./tickets.queries.ts";
import type { TicketMove } from "./tickets.state.ts";

/** A user moved or transferred a ticket. */
export interface TicketMoveByUser {
  readonly verb: TicketMove | "transfer";
  readonly before: TicketRow;
  readonly after: TicketRow;
}

/**
 * Sends the customer notice of a move (introduction, transfer, farewell, rating request) in the transaction of the move, so
 * that it is stored before what the user writes next. The bot feature implements it and has the texts. `priority` is that of
 * the sending, by default a notice's. Resolves to whether it sent one.
 */
export type SendCustomerNotice = (ctx: Ctx, move: TicketMoveByUser, priority?: JobPriority) => Promise<boolean>;
