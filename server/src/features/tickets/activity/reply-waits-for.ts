import type { TicketRow } from "../tickets.queries.ts";
import type { Agent } from "./ticket-activity.queries.ts";

/** Within this time a reply waits for the person who scheduled or started what it answers (behaviour 5). */
const awaitedMs = 24 * 3_600_000;

/**
 * The user whom a contact's message waits for, without the bot: they scheduled a message or started the conversation, and
 * this is the first answer. The queue stays, so that colleagues may accept it too. Null in an open ticket, which has an
 * agent, and in groups, where a message need not be an answer. By arrival, because the clocks of WhatsApp and of this
 * server may differ: what was written shortly before counts as well.
 */
export function replyWaitsFor(
  ticket: Pick<TicketRow, "status" | "queueId" | "isGroup" | "awaitedUserId" | "awaitedSince">,
  sentAt: Date,
): Agent | null {
  const { status, queueId, isGroup, awaitedUserId: userId, awaitedSince } = ticket;
  if (userId === null || awaitedSince === null || status === "open" || isGroup) {
    return null;
  }
  return sentAt.getTime() - awaitedSince.getTime() <= awaitedMs ? { userId, queueId } : null;
}
