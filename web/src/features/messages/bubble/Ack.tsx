import { styled } from "#web/ui/styled.ts";
import { CircleAlert, Clock } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { checkGlyph, doubleCheckGlyph } from "#web/ui/glyphs.tsx";
import { color } from "#web/ui/theme.ts";
import { ackLabel } from "./ack-label.ts";
import { conversationMessages } from "../messages.i18n.ts";

/** The delivery ticks of an own message (M-02): queued, sent, delivered, read. Only acks 4 and 5 have the colour of "read". */
export function Ack({ ack }: { readonly ack: number }) {
  const t = useMessages(conversationMessages);
  const label = ackLabel(ack);
  return (
    <Mark role="img" aria-label={t(label)} data-ack={label}>
      {icons[label]}
    </Mark>
  );
}

const icons = {
  ack_failed: <CircleAlert aria-hidden />,
  ack_queued: <Clock aria-hidden />,
  ack_sent: checkGlyph,
  ack_delivered: doubleCheckGlyph,
  ack_readBySome: doubleCheckGlyph,
  ack_read: doubleCheckGlyph,
} as const;

const Mark = styled("span")({
  display: "inline-flex",
  color: color.ink2,
  "& svg": { width: 15, height: 15, strokeWidth: 2 },
  "&[data-ack='ack_read']": { color: color.tick },
  "&[data-ack='ack_failed']": { color: color.danger },
});
