import { refusalCodes, sendFailures } from "@prosa/contract/messages";
import type { Message, SendFailure } from "@prosa/contract/messages";

type ReasonWord = `fail_${SendFailure}`;
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
  return `fail_${sendFailures.find((known) => known === reason) ?? ofCode(reason ?? "")}`;
}

function ofCode(reason: string): SendFailure {
  return refusalCodes[reason] ?? (/^-?\d+$/u.test(reason) ? "refused" : "unknown");
}
