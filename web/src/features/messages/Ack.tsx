import { styled } from "#web/ui/styled.ts";
import { Check, CheckCheck, CircleAlert, Clock } from "lucide-react";
import { ackValues } from "@prosa/contract/messages";
import { useMessages } from "#web/lib/i18n.ts";
import { color } from "#web/ui/theme.ts";
import { conversationMessages } from "./messages.i18n.ts";

/** How far an own message got (M-02): waiting, sent, delivered, read; 3 and above carry the read colour. */
export function Ack({ ack }: { readonly ack: number }) {
  const t = useMessages(conversationMessages);
  const { Icon, word } = faceOf(ack);
  return (
    <Mark role="img" aria-label={t(word)} data-ack={word}>
      <Icon aria-hidden />
    </Mark>
  );
}

function faceOf(ack: number) {
  if (ack <= ackValues.failed) {
    return { Icon: CircleAlert, word: "ack_failed" } as const;
  }
  if (ack === ackValues.queued) {
    return { Icon: Clock, word: "ack_queued" } as const;
  }
  if (ack === ackValues.sent) {
    return { Icon: Check, word: "ack_sent" } as const;
  }
  return ack === ackValues.delivered
    ? ({ Icon: CheckCheck, word: "ack_delivered" } as const)
    : ({ Icon: CheckCheck, word: "ack_read" } as const);
}

const Mark = styled("span")({
  display: "inline-flex",
  color: color.ink2,
  "& svg": { width: 15, height: 15, strokeWidth: 2 },
  "&[data-ack='ack_read']": { color: color.tick },
  "&[data-ack='ack_failed']": { color: color.danger },
});
