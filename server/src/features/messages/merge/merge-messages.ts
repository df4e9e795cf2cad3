import type { MergedTicket } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { allowLongTransaction } from "#server/platform/db/index.ts";
import { enqueueChatSend } from "../send/index.ts";
import { joinToTicket, moveToTicket } from "./move-messages.queries.ts";
import type { QueuedAtConnection } from "./move-messages.queries.ts";
import { giveToContactOfTickets, moveBackToTicket } from "./undo-message-merge.queries.ts";
import type { MessageSnapshot } from "./undo-message-merge.queries.ts";

/** Moves the messages of a ticket into another one. Returns how many unread messages were deleted as duplicates. */
export async function moveMessagesOfTicket(
  ctx: Ctx,
  merged: MergedTicket,
  contacts: { readonly from: number; readonly to: number },
): Promise<number> {
  const { duplicateUnread, queued } = await moveToTicket(ctx, merged, contacts);
  sendMoved(ctx, merged.into, queued);
  return duplicateUnread;
}

/** Moves the messages of a ticket into another one of the same contact, on another connection: there are no duplicates. */
export async function joinMessagesOfTicket(ctx: Ctx, joined: MergedTicket): Promise<void> {
  await allowLongTransaction(ctx);
  sendMoved(ctx, joined.into, await joinToTicket(ctx, joined));
}

/** Moves the messages of the snapshots back to this contact and to their earlier tickets; what was written there since goes with the tickets. */
export async function undoMessageMerge(
  ctx: Ctx,
  contactId: number,
  snapshots: readonly MessageSnapshot[],
): Promise<void> {
  for (const snapshot of snapshots) {
    sendMoved(ctx, snapshot.ticketId, await moveBackToTicket(ctx, contactId, snapshot));
  }
  await giveToContactOfTickets(ctx, contactId);
}

/** The job that was to send them names the ticket that they were of, and finds them there no more. */
function sendMoved(ctx: Ctx, ticketId: number, queued: readonly QueuedAtConnection[]): void {
  for (const { connectionId, fromTicketId, isByPerson } of queued) {
    const priority = isByPerson ? "interactive" : "bot";
    enqueueChatSend(ctx, { connectionId, ticketId, priority, behindTicketId: fromTicketId });
  }
}
