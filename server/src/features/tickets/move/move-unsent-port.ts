import type { Ctx } from "#server/platform/ctx.ts";

/**
 * A user moved the ticket to another connection: lets that one send what the former one has not sent. Called before the customer
 * notice, which follows it. The messages feature implements it.
 */
export type MoveUnsent = (
  ctx: Ctx,
  move: { readonly ticketId: number; readonly from: number; readonly to: number },
) => void;
