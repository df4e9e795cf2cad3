import { SendError } from "#server/whatsapp/port.ts";

/** So often something is tried that WhatsApp does not take; then it is shown as failed, with its retry. */
export const sendTries = 5;

/**
 * The one place that decides what becomes of a send that did not go through, of a message as of a change of one. `wait`:
 * the line is away, and nothing is wrong with what it was to carry; no try is used up.
 */
export function afterFailure({ reason, canRetry }: SendError, attempt: number): "wait" | "again" | "giveUp" {
  if (reason === "notConnected") {
    return "wait";
  }
  return canRetry && attempt < sendTries ? "again" : "giveUp";
}

export function sendErrorOf(error: unknown): SendError {
  return error instanceof SendError ? error : new SendError("unknown", true, { cause: error });
}
