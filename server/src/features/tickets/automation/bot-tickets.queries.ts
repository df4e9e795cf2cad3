import type { TicketStatus } from "@prosa/contract";
import { connectionIdSql } from "#server/features/connections/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** What the bot reads of a ticket outside of an inbound message. */
export interface BotTicket {
  readonly status: TicketStatus;
  readonly queueId: number | null;
  readonly connectionId: number | null;
  readonly chatbot: boolean;
  /** State of the bot's script, opaque here. */
  readonly botState: unknown;
}

const columns = `t.status, t.queue_id as "queueId", ${connectionIdSql("t")} as "connectionId", t.chatbot, t.bot_state as "botState"`;

const FIND: Statement<BotTicket> = {
  name: "bot_ticket_find",
  text: `select ${columns} from tickets t where t.company_id = $1 and t.id = $2`,
};

const LOCK: Statement<BotTicket> = {
  name: "bot_ticket_lock",
  text: `${FIND.text} for no key update`,
};

/** Undefined if it was deleted or merged. */
export async function findBotTicket(ctx: Ctx, id: number): Promise<BotTicket | undefined> {
  return (await ctx.raw(FIND, [ctx.companyId, id]))[0];
}

/** The same, locked until the transaction ends. */
export async function lockBotTicket(ctx: Ctx, id: number): Promise<BotTicket | undefined> {
  return (await ctx.raw(LOCK, [ctx.companyId, id]))[0];
}
