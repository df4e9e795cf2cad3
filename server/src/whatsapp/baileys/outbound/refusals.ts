import { refusalCodes } from "@prosa/contract";
import { SendError } from "../../port.ts";

/** A second try can help. Not with cold messages (463, 475), which are limited: it makes that worse. */
const RETRIED: ReadonlySet<string> = new Set([
  "429",
  // The stanza named a device that is gone; the next try asks anew.
  "479",
  "500",
  "503",
]);

/**
 * The one place that says whether a refusal, by the code in WhatsApp's acknowledgement (whatsapp.md sections 4.7 and 10),
 * is worth another try. What it means says the contract.
 */
export function refusal(code: string): SendError {
  const detail = `WhatsApp refused the message with ${code}`;
  return new SendError(refusalCodes[code] ?? "refused", RETRIED.has(code), { detail });
}
