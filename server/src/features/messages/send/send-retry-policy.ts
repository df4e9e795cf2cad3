import { SendError } from "#server/whatsapp/port.ts";

/** Attempts to send before a message or a change is shown as failed and a person may retry it. */
export const maxSendAttempts = 5;

/**
 * The one retry policy of messages and of changes to messages. `wait`: the line is not connected, so nothing is wrong with
 * the message and no attempt is used up.
 */
export function decideRetry({ reason, canRetry }: SendError, attempt: number): "wait" | "retry" | "giveUp" {
  if (reason === "notConnected") {
    return "wait";
  }
  return canRetry && attempt < maxSendAttempts ? "retry" : "giveUp";
}

/** An error of any other kind counts as unknown and worth a retry. */
export function toSendError(error: unknown): SendError {
  return error instanceof SendError ? error : new SendError("unknown", true, { cause: error });
}
