import type { Ticket } from "@prosa/contract/tickets";
import { memo } from "react";
import { useMessages, type Translate } from "#web/lib/text/i18n.ts";
import { Chip } from "#web/ui/Chip.tsx";
import { styled } from "#web/ui/styled.ts";
import { visuallyHidden } from "#web/ui/theme.ts";
import { awaitedUserText } from "../awaited-user.ts";
import { ticketMessages } from "../tickets.i18n.ts";
import { CHIP_GAP, chipTextWidth, foldChips, type RowChip } from "./fold-chips.ts";

/** The labels of a row (T-04), as many as fit; the others are counted, and named in the tooltip of the count. */
export const RowChips = memo(function RowChips(props: {
  readonly ticket: Ticket;
  readonly myId: number;
  readonly showsConnection: boolean;
  /** In px. */
  readonly room: number;
}) {
  const t = useMessages(ticketMessages);
  const chips = chipsOf(props.ticket, props.myId, props.showsConnection, t);
  const { shown, folded } = foldChips(chips, props.room, chipTextWidth);
  const names = folded.map(({ label }) => label).join(", ");
  return (
    <Line>
      {shown.map(({ key, label, ...look }) => (
        <Chip key={key} title={label} {...look}>
          {label}
        </Chip>
      ))}
      {folded.length > 0 && (
        <More>
          <Chip title={names}>
            <span aria-hidden>+{folded.length}</span>
            <Hidden>{names}</Hidden>
          </Chip>
        </More>
      )}
    </Line>
  );
});

/** Most telling first: the last ones are folded. */
function chipsOf(
  ticket: Ticket,
  myId: number,
  showsConnection: boolean,
  t: Translate<(typeof ticketMessages)["pt"]>,
): readonly RowChip[] {
  const awaited = awaitedUserText(ticket, myId, t);
  const agent = awaited === undefined ? ticket.user : null;
  const agentChip = agent ? [{ key: "agent", label: agent.name }] : [];
  return [
    ...(awaited === undefined ? [] : [{ key: "awaited", label: awaited, tone: "accent" as const }]),
    { key: "queue", label: ticket.queue?.name ?? t("noQueue"), tint: ticket.queue?.color ?? null, look: "dot" },
    ...(agent?.id === myId ? [] : agentChip),
    ...(ticket.chatbot ? [{ key: "bot", label: t("bot") }] : []),
    ...ticket.tags.map(({ id, name, color }) => ({ key: `t${id}`, label: name, tint: color })),
    ...ticket.products.map(({ id, name }) => ({ key: `p${id}`, label: name })),
    ...(showsConnection && ticket.whatsapp ? [{ key: "connection", label: ticket.whatsapp.name }] : []),
    ...(agent?.id === myId ? agentChip : []),
  ];
}

const Line = styled("span")({
  display: "flex",
  gap: CHIP_GAP,
  minHeight: 18,
  overflow: "hidden",
  position: "relative",
  "& > span": { flex: "none" },
  "& > span:only-child": { flex: "0 1 auto" },
});
const Hidden = styled("span")(visuallyHidden);
const More = styled("span")({ display: "inline-flex" });
