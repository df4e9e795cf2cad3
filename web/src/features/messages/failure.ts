import type { Message } from "@prosa/contract/messages";

const reasons = [
  "notConnected",
  "timeout",
  "refused",
  "limited",
  "invalidContact",
  "file",
  "voice",
  "connectionDeleted",
  "unknown",
] as const;
type ReasonWord = `fail_${(typeof reasons)[number]}`;
type ChangeWord = `change_${NonNullable<Message["changeFailure"]>["kind"]}`;

/**
 * What did not reach the contact, as words to be looked up: a change of the message first, because the message itself
 * arrived then. A message that was deleted before it left is nobody's worry.
 */
export function failureOf(
  message: Pick<Message, "ack" | "failReason" | "changeFailure" | "isDeleted">,
): readonly (ChangeWord | ReasonWord)[] {
  if (message.changeFailure) {
    return [`change_${message.changeFailure.kind}`, reasonWord(message.changeFailure.reason)];
  }
  return message.ack < 0 && !message.isDeleted ? [reasonWord(message.failReason)] : [];
}

function reasonWord(reason: string | null): ReasonWord {
  return `fail_${reasons.find((known) => known === reason) ?? "unknown"}`;
}
