import { PrivateAddressError } from "./private-addresses.ts";

/** The reason of a call whose time was over. */
export const noAnswerInTime = "no answer in time";

/** Why a call to an address that a user wrote had no answer: a few words for a log, or the network's code (ECONNREFUSED). */
export function callFailure(error: unknown): string {
  if (error instanceof PrivateAddressError) {
    return "private address";
  }
  if (error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError")) {
    return noAnswerInTime;
  }
  return error instanceof Error && "code" in error ? String(error.code) : "connection failed";
}
