import type { Ctx } from "#server/platform/ctx.ts";
import { checkTransferTarget } from "../move/index.ts";
import type { TicketRow } from "../tickets.queries.ts";
import { saveTicketChange } from "../tickets.service.ts";
import { closing } from "../tickets.state.ts";
import type { TicketChange } from "../tickets.state.ts";

/** Where other software wants a conversation that it writes in. */
export interface TicketPlace {
  readonly queueId: number | null;
  readonly userId: number | null;
  /** Resolved after the message. */
  readonly closes: boolean;
}

/**
 * Puts a locked ticket where other software wants it: to an agent, or to wait in a queue, and resolved where it says so. One
 * that an agent serves stays with them. ERR_NO_QUEUE_FOUND and ERR_NO_USER_FOUND for those of nobody or another company.
 */
export async function placeTicket(ctx: Ctx, ticket: TicketRow, place: TicketPlace): Promise<void> {
  const { queueId, userId, closes } = place;
  await checkTransferTarget(ctx, ticket.contactId, { queueId, userId });
  if (ticket.status === "open") {
    return;
  }
  let placed = ticket;
  if (userId !== null || queueId !== null) {
    const isNew = ticket.status === "closed";
    const owned = userId !== null;
    const change: TicketChange = {
      ...botOff,
      status: owned ? "open" : "pending",
      userId,
      queueId: queueId ?? ticket.queueId,
      awaitedUserId: userId,
    };
    const episode = owned ? (isNew ? "openStarted" : "start") : isNew ? "openQueued" : "requeue";
    placed = (await saveTicketChange(ctx, ticket, change, episode)).ticket;
  }
  if (closes && placed.status !== "closed") {
    await saveTicketChange(ctx, placed, closing, "finish");
  }
}

const botOff = { chatbot: false, useIntegration: false, integrationId: null, promptId: null } as const;
