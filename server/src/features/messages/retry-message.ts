import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { retryChange } from "./change/index.ts";
import { lockMessageToChange } from "./lock-message-to-change.ts";
import { enqueueChatSend, requeueFailed } from "./send/index.ts";

/**
 * Retries a failed message under the same ids, or a failed change of a message. Does nothing for a message that is queued or
 * sent. If the connection was deleted, the message is sent by the ticket's present connection. ERR_NO_WAPP_FOUND where there
 * is none.
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
  await requeueFailed(ctx, message, connectionId);
  enqueueChatSend(ctx, { connectionId, ticketId: message.ticketId, priority: "interactive" });
}
