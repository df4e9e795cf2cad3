import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { retryChange } from "./change/index.ts";
import { lockMessageToChange } from "./lock-message-to-change.ts";
import { messageUpdated } from "./messages.events.ts";
import { flushChat, requeueMessage } from "./send/index.ts";

/**
 * Sends a failed message again, under the same ids, or a change of it that failed. What waits or went out already is
 * left alone; where the connection was deleted, the ticket's present one takes it over.
 */
export async function retryMessage(ctx: Ctx, id: number): Promise<void> {
  const { message, ticket } = await lockMessageToChange(ctx, id);
  if (message.changeFailure) {
    return retryChange(ctx, message, message.changeFailure.kind);
  }
  if (!message.fromMe || message.ack !== -1) {
    return;
  }
  if (message.isDeleted) {
    throw new AppError("ERR_SENDING_WAPP_MSG");
  }
  const connectionId = message.connectionId ?? ticket.connectionId;
  if (connectionId === null) {
    throw new AppError("ERR_NO_WAPP_FOUND");
  }
  await requeueMessage(ctx, id, connectionId);
  ctx.emit(messageUpdated(message.ticketId, id));
  flushChat(ctx, connectionId, message.ticketId);
}
