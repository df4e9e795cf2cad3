import type { SendFailure } from "@prosa/contract";
import { SendError } from "../port.ts";

interface Refusal {
  readonly reason: SendFailure;
  readonly canRetry: boolean;
}

/** Codes in WhatsApp's acknowledgement of a message that it refused (whatsapp.md sections 4.7 and 10). */
const KNOWN: Readonly<Record<string, Refusal>> = {
  "401": { reason: "notAllowed", canRetry: false },
  "403": { reason: "notAllowed", canRetry: false },
  "404": { reason: "invalidContact", canRetry: false },
  "406": { reason: "invalidContact", canRetry: false },
  "429": { reason: "tooMany", canRetry: true },
  // Cold messages are limited: a retry makes it worse.
  "463": { reason: "limited", canRetry: false },
  "475": { reason: "limited", canRetry: false },
  // The stanza named a device that is gone; the next try asks anew.
  "479": { reason: "devices", canRetry: true },
  "500": { reason: "serverFault", canRetry: true },
  "503": { reason: "serverFault", canRetry: true },
};
const OTHER: Refusal = { reason: "refused", canRetry: false };

/** The one place that says what a refusal means, and whether trying again can help. */
export function refusal(code: string): SendError {
  const { reason, canRetry } = KNOWN[code] ?? OTHER;
  return new SendError(reason, canRetry, { detail: `WhatsApp refused the message with ${code}` });
}
