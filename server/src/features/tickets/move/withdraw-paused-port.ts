import type { Ctx } from "#server/platform/ctx.ts";

/**
 * A person takes these tickets from the bot (behaviour 5, rule 8): withdraws what it has still to say after its pauses. Lock the tickets
 * first; called before the customer notice, which is sent. The messages feature implements it. Resolves to the ids of the withdrawn
 * messages by ticket, of the tickets that had any.
 */
export type WithdrawPaused = (
  ctx: Ctx,
  ticketIds: readonly number[],
) => Promise<ReadonlyMap<number, readonly number[]>>;

/**
 * The bot has its tickets back: queues withdrawn messages again that were never handed to WhatsApp; one whose time has come meanwhile is
 * sent at once. Lock the tickets first. The messages feature implements it.
 */
export type RestoreWithdrawn = (ctx: Ctx, messageIds: readonly number[]) => Promise<void>;
