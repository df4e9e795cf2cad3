import type { Message } from "@prosa/contract/messages";

/** The text without the signature (M-11) that the customer sees: here the author's name stands above it, or before it. */
export function unsignedText({ body, user }: Pick<Message, "body" | "user">): string {
  const signature = `*${user?.name ?? ""}*\n`;
  return user && body.startsWith(signature) ? body.slice(signature.length) : body;
}
