import { styled } from "#web/ui/styled.ts";
import { Check, CheckCheck, CircleAlert, Clock } from "lucide-react";
import { useMessages } from "#web/lib/i18n.ts";
import { color } from "#web/ui/theme.ts";
import { ackWord } from "./ack-word.ts";
import { conversationMessages } from "./messages.i18n.ts";

/** How far an own message got (M-02): waiting, sent, delivered, read; only what was read for certain has the read colour. */
export function Ack({ ack }: { readonly ack: number }) {
  const t = useMessages(conversationMessages);
  const word = ackWord(ack);
  const Icon = icons[word];
  return (
    <Mark role="img" aria-label={t(word)} data-ack={word}>
      <Icon aria-hidden />
    </Mark>
  );
}

const icons = {
  ack_failed: CircleAlert,
  ack_queued: Clock,
  ack_sent: Check,
  ack_delivered: CheckCheck,
  ack_readBySome: CheckCheck,
  ack_read: CheckCheck,
} as const;

const Mark = styled("span")({
  display: "inline-flex",
  color: color.ink2,
  "& svg": { width: 15, height: 15, strokeWidth: 2 },
  "&[data-ack='ack_read']": { color: color.tick },
  "&[data-ack='ack_failed']": { color: color.danger },
});
