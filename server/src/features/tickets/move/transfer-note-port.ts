import type { Ctx } from "#server/platform/ctx.ts";
import type { TicketRow } from "../tickets.queries.ts";

/**
 * Stores the note of a transfer, by the acting user, in the transaction of the transfer; returns its id. The user may not see
 * the ticket any more. The notes feature implements it.
 */
export type AddTransferNote = (ctx: Ctx, ticket: TicketRow, note: string) => Promise<number | null>;
