import { saveBotTurns, ticketUpdated } from "#server/features/tickets/index.ts";
import type { BotTurnRow } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { BotDecision } from "./bot.script.ts";

/** A decision on a pending ticket, whose row is locked. */
export interface DecidedTicket {
  readonly ticketId: number;
  /** Before the decision. */
  readonly queueId: number | null;
  readonly chatbot: boolean;
  readonly decision: BotDecision;
}

/** Saves state and queue of many tickets in one statement, and emits an event for each that lists show elsewhere or otherwise. */
export async function saveDecisions(ctx: Ctx, decided: readonly DecidedTicket[]): Promise<void> {
  const rows = decided.map(rowOf);
  await saveBotTurns(ctx, rows);
  decided.forEach(({ ticketId, queueId, chatbot }, index) => {
    const row = rows[index]!;
    if (queueId !== row.queueId || chatbot !== row.chatbot) {
      const waiting = { status: "pending", userId: null } as const;
      ctx.emit(ticketUpdated(ticketId, { ...waiting, queueId }, { ...waiting, queueId: row.queueId }));
    }
  });
}

function rowOf({ ticketId, decision: { state, queueId, outcome } }: DecidedTicket): BotTurnRow {
  const { assistant } = state;
  return {
    ticketId,
    queueId,
    chatbot: outcome !== "person",
    botState: state,
    promptId: assistant?.kind === "prompt" ? assistant.id : null,
    integrationId: assistant?.kind === "integration" ? assistant.id : null,
  };
}
