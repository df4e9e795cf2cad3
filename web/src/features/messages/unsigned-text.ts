import type { Message } from "@prosa/contract/messages";
import { withoutSignature } from "#web/lib/text/signature.ts";

/** The text without the signature (M-11) that the customer sees: here the author's name stands above it, or before it. */
export function unsignedText({ body, user }: Pick<Message, "body" | "user">): string {
  return user ? withoutSignature(body, user.name) : body;
}
