import { PrivateAddressError } from "./private-addresses.ts";

/** The reason of a call whose time was over. */
export const noAnswerInTime = "no answer in time";

/** Whether an abort's reason is that the time was over (`AbortSignal.timeout`), and not that somebody gave up or stops. */
export function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === "TimeoutError";
}

/** Why a call to an address that a user wrote had no answer: a few words for a log, or the network's code (ECONNREFUSED). */
export function callFailure(error: unknown): string {
  if (error instanceof PrivateAddressError) {
    return "private address";
  }
  if (isTimeout(error) || (error instanceof Error && error.name === "AbortError")) {
    return noAnswerInTime;
  }
  return error instanceof Error && "code" in error ? String(error.code) : "connection failed";
}
