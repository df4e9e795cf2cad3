import type { Ctx } from "#server/platform/ctx.ts";
import type { TicketRow } from "./tickets.queries.ts";
import type { TicketMove } from "./tickets.state.ts";

/** A person moved a ticket. */
export interface TicketMoveByUser {
  readonly verb: TicketMove | "transfer";
  readonly before: TicketRow;
  readonly after: TicketRow;
}

/**
 * What the company says to the contact when a person moves their ticket, in the transaction of the move: so it stands
 * before whatever that person writes next. A higher feature knows the words.
 */
export type SendCustomerNotice = (ctx: Ctx, move: TicketMoveByUser) => Promise<void>;
