import { errorWords } from "@prosa/contract/errors.i18n";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { failureLabels } from "./failure-labels.ts";
import { failureMessages } from "./failures.i18n.ts";

/** Why something that was sent later failed: a code of ours if it never came to the conversation, else its message's reason. */
export function useFailReasonText(): (reason: string) => string {
  const t = useMessages(failureMessages);
  const words = errorWords[useLanguage()];
  return (reason) => {
    const message = { ack: -1, failReason: reason, changeFailure: null, isDeleted: false };
    const [label] = failureLabels(message);
    return reason in words ? words[reason as keyof typeof words] : t(label ?? "fail_unknown");
  };
}
