import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** State of a ticket after a turn of the bot. */
export interface BotTurnRow {
  readonly ticketId: number;
  readonly queueId: number | null;
  /** True: the bot answers the next message; false: the ticket waits for a user. */
  readonly chatbot: boolean;
  /** State of the bot's script; opaque to the tickets feature. */
  readonly botState: object;
  /** The AI prompt that answers from here on, if any. */
  readonly promptId: number | null;
  readonly integrationId: number | null;
}

// The left joins turn what was deleted into null: a queue during the turn, an assistant that the bot's state still names.
const SAVE_TURNS: Statement<never> = {
  name: "tickets_save_bot_turns",
  text: `
    with turns as (
      select v.id, v.chatbot, v.bot_state, p.id as prompt_id, i.id as integration_id, q.id as queue_id
      from jsonb_to_recordset($2::jsonb) as v(id int, queue_id int, chatbot boolean, bot_state jsonb, prompt_id int,
        integration_id int)
      left join queues q on q.company_id = $1 and q.id = v.queue_id
      left join prompts p on p.company_id = $1 and p.id = v.prompt_id
      left join queue_integrations i on i.company_id = $1 and i.id = v.integration_id),
    followed as (
      update episodes e set queue_id = v.queue_id from turns v
      where e.company_id = $1 and e.ticket_id = v.id and e.finished_at is null and e.queue_id is distinct from v.queue_id)
    update tickets t set queue_id = v.queue_id, chatbot = v.chatbot, bot_state = v.bot_state, prompt_id = v.prompt_id,
      integration_id = v.integration_id, use_integration = v.integration_id is not null, version = t.version + 1,
      updated_at = $3
    from turns v where t.company_id = $1 and t.id = v.id`,
};

/** Saves the bot's turns of many tickets in one statement. Lock the tickets first, in the order of their ids. */
export async function saveBotTurns(ctx: Ctx, turns: readonly BotTurnRow[]): Promise<void> {
  if (turns.length === 0) {
    return;
  }
  const rows = turns.map(({ ticketId, queueId, chatbot, botState, promptId, integrationId }) => ({
    id: ticketId,
    queue_id: queueId,
    chatbot,
    bot_state: botState,
    prompt_id: promptId,
    integration_id: integrationId,
  }));
  await ctx.raw(SAVE_TURNS, [ctx.companyId, JSON.stringify(rows), ctx.now()]);
}
