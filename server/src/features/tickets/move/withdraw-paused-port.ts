import type { Ctx } from "#server/platform/ctx.ts";

/**
 * A person takes these tickets from the bot (behaviour 5, rule 8): withdraws what it has still to say after its pauses. Lock the tickets
 * first; called before the customer notice, which is sent. The messages feature implements it. Resolves to whether there was anything.
 */
export type WithdrawPaused = (ctx: Ctx, ticketIds: readonly number[]) => Promise<boolean>;
