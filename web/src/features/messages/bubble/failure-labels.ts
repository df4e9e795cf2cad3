import { refusalCodes, sendFailures } from "@prosa/contract/messages";
import type { Message, SendFailure } from "@prosa/contract/messages";

type ReasonLabel = `fail_${SendFailure}`;
type ChangeLabel = `change_${NonNullable<Message["changeFailure"]>["kind"]}`;

/**
 * i18n keys of what did not reach the contact. A failed edit, deletion or reaction comes first: the message itself was
 * delivered then. A message that was deleted before it was sent has no failure to show.
 */
export function failureLabels(
  message: Pick<Message, "ack" | "failReason" | "changeFailure" | "isDeleted">,
): readonly (ChangeLabel | ReasonLabel)[] {
  if (message.changeFailure) {
    return [`change_${message.changeFailure.kind}`, reasonLabel(message.changeFailure.reason)];
  }
  return message.ack < 0 && !message.isDeleted ? [reasonLabel(message.failReason)] : [];
}

function reasonLabel(reason: string | null): ReasonLabel {
  return `fail_${sendFailures.find((known) => known === reason) ?? failureOfCode(reason ?? "")}`;
}

function failureOfCode(reason: string): SendFailure {
  return refusalCodes[reason] ?? (/^-?\d+$/u.test(reason) ? "refused" : "unknown");
}
