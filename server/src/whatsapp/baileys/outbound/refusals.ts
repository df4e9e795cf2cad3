import { refusalCodes } from "@prosa/contract";
import { SendError } from "../../port.ts";

/** Codes after which a retry can help. Not for cold messages (463, 475), which are rate-limited: a retry makes it worse. */
const RETRYABLE_CODES: ReadonlySet<string> = new Set([
  "429",
  // The stanza named a device that is gone; the retry looks the devices up again.
  "479",
  "500",
  "503",
]);

/**
 * The error for a code in WhatsApp's acknowledgement (whatsapp.md sections 4.7 and 10). Decides alone whether it is
 * retried; the contract maps codes to reasons.
 */
export function refusalError(code: string): SendError {
  const detail = `WhatsApp refused the message with ${code}`;
  return new SendError(refusalCodes[code] ?? "refused", RETRYABLE_CODES.has(code), { detail });
}
