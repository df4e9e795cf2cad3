import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { RotateCw } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { color } from "#web/ui/theme.ts";
import { failureLabels } from "./failure-labels.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { failureMessages } from "./failures.i18n.ts";

/** Why a message, or our change of it, did not reach the contact; renders nothing without a failure. */
export function FailureNotice(props: {
  readonly message: Message;
  readonly canWrite: boolean;
  readonly onRetry: (message: Message) => void;
}) {
  const { message, canWrite, onRetry } = props;
  const t = useMessages(conversationMessages);
  const reasons = useMessages(failureMessages);
  const labels = failureLabels(message);
  return labels.length === 0 ? null : (
    <Failed role="alert">
      {labels.map((label) => reasons(label)).join(" ")}
      {canWrite && (
        <button type="button" onClick={() => onRetry(message)}>
          <RotateCw aria-hidden /> {t("retry")}
        </button>
      )}
    </Failed>
  );
}

const Failed = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: 8,
  marginTop: 2,
  fontSize: 12,
  color: color.danger,
  "& button": {
    display: "inline-flex",
    alignItems: "center",
    gap: 4,
    border: 0,
    padding: "2px 4px",
    background: "none",
    color: "inherit",
    fontWeight: 600,
    cursor: "pointer",
    textDecoration: "underline",
  },
  "& svg": { width: 12, height: 12 },
});
