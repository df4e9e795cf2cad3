import { SendError } from "../port.ts";

/**
 * Codes in WhatsApp's acknowledgement of a message that it refused (whatsapp.md sections 4.7 and 10). 463: cold
 * messages are limited, a retry makes it worse. 479: the stanza named a device that is gone; the next try asks anew.
 */
const KNOWN: Readonly<Record<string, ConstructorParameters<typeof SendError>[0]>> = {
  "403": "refused",
  "404": "invalidContact",
  "406": "invalidContact",
  "429": "limited",
  "463": "limited",
  "475": "limited",
  "479": "refused",
};
const WORTH_A_RETRY: ReadonlySet<string> = new Set(["429", "479", "500", "503"]);

export function refusal(code: string): SendError {
  return new SendError(KNOWN[code] ?? "refused", WORTH_A_RETRY.has(code), {
    detail: `WhatsApp refused the message with ${code}`,
  });
}
