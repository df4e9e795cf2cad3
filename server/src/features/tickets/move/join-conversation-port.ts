import type { Ctx } from "#server/platform/ctx.ts";
import type { MergedTicket } from "../merge/index.ts";

/**
 * Moves the messages, notes and calls of integrations of one ticket to another one of the same contact, before the first is deleted. The
 * features that own them implement it.
 */
export type JoinConversation = (ctx: Ctx, merged: MergedTicket, contactId: number) => Promise<void>;
