import { messageRules } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { MessageRow } from "../messages.queries.ts";
import type { ChangeKind } from "./change-failures.queries.ts";

/**
 * Only an own text that is not deleted and at most 15 minutes old may be edited: WhatsApp refuses later edits. Throws
 * ERR_EDIT_WAPP_MSG, or ERR_FETCH_WAPP_MSG if it is too old (specification 1, section 8).
 */
export function assertEditable(message: MessageRow, now: Date): void {
  if (!message.fromMe || message.mediaType !== "chat" || message.isDeleted || message.ack === -1) {
    throw new AppError("ERR_EDIT_WAPP_MSG");
  }
  if (isTooLate("edit", message.sentAt, now)) {
    throw new AppError("ERR_FETCH_WAPP_MSG");
  }
}

/** Only an own message of the last two days may be deleted for everyone. Throws ERR_DELETE_WAPP_MSG or ERR_FETCH_WAPP_MSG. */
export function assertDeletable(message: MessageRow, now: Date): void {
  if (!message.fromMe) {
    throw new AppError("ERR_DELETE_WAPP_MSG");
  }
  if (isTooLate("revoke", message.sentAt, now)) {
    throw new AppError("ERR_FETCH_WAPP_MSG");
  }
}

/** Would WhatsApp refuse a change of a message of that time, without saying so? Reactions have no limit. */
export function isTooLate(kind: ChangeKind, sentAt: Date, now: Date): boolean {
  const limits = { edit: messageRules.editWithinMs, revoke: messageRules.deleteWithinMs, reaction: Infinity };
  return now.getTime() - sentAt.getTime() > limits[kind];
}
