import { messageRules } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { MessageRow } from "../messages.queries.ts";

/**
 * An edit needs an own text that is not deleted, and is at most 15 minutes old: WhatsApp refuses later ones. Too old is
 * ERR_FETCH_WAPP_MSG (specification 1, section 8).
 */
export function mayEdit(message: MessageRow, now: Date): void {
  if (!message.fromMe || message.mediaType !== "chat" || message.isDeleted || message.ack === -1) {
    throw new AppError("ERR_EDIT_WAPP_MSG");
  }
  if (now.getTime() - message.sentAt.getTime() > messageRules.editWithinMs) {
    throw new AppError("ERR_FETCH_WAPP_MSG");
  }
}

/** Deleting for everyone needs an own message of the last two days. */
export function mayDelete(message: MessageRow, now: Date): void {
  if (!message.fromMe) {
    throw new AppError("ERR_DELETE_WAPP_MSG");
  }
  if (now.getTime() - message.sentAt.getTime() > messageRules.deleteWithinMs) {
    throw new AppError("ERR_FETCH_WAPP_MSG");
  }
}
