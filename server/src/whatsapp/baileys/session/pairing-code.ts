import type { BinaryNode } from "../library.ts";
import type { Session } from "./session.ts";

/**
 * Asks WhatsApp to accept a pairing code for this number, and returns the code. The library does not read the answer, so a code
 * that WhatsApp refuses is returned too: `onRefused` is called with its words, before or after that.
 */
export async function requestPairingCode(
  session: Session,
  number: string,
  onRefused: (detail: string) => void,
): Promise<string> {
  session.sock.ws.on("CB:iq,type:error", ({ content }: BinaryNode) => {
    // Before the phone has accepted the code nothing else is asked for that could be refused.
    if (!session.creds.account) {
      const [error] = Array.isArray(content) ? content : [];
      onRefused(`${error?.attrs["code"] ?? ""} ${error?.attrs["text"] ?? ""}`.trim());
    }
  });
  return session.sock.requestPairingCode(number);
}
