import type { Ticket } from "@prosa/contract/tickets";
import { lastMessageLine, ticketMessages } from "#web/features/tickets/index.ts";
import { useUser } from "#web/lib/session/session.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Badge, Chip } from "#web/ui/Chip.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, visuallyHidden } from "#web/ui/theme.ts";
import { kanbanMessages } from "../kanban.i18n.ts";
import { nameOfCard } from "./card-names.ts";

/** Height of a card, in px; all are alike, so that a lane of thousands is laid out without measuring. */
export const cardHeight = 118;

/** What a card says of its conversation. */
export function CardBody({ ticket, laneId }: { readonly ticket: Ticket; readonly laneId: number }) {
  const t = useMessages(kanbanMessages);
  const ofTicket = useMessages(ticketMessages);
  const format = useFormat();
  const { id: myId } = useUser();
  const { contact, queue, user, unreadMessages: unread } = ticket;
  const name = nameOfCard(ticket);

  return (
    <>
      <QueueStrip
        style={{ backgroundColor: queue?.color ?? color.lineStrong }}
        title={queue?.name ?? ofTicket("noQueue")}
      />
      <Line>
        <Name title={name}>{name}</Name>
        <Time>{format.listTime(ticket.lastMessageAt ?? ticket.createdAt)}</Time>
      </Line>
      <Line>
        <Number>{contact.isGroup ? t("group") : phoneText(contact.number)}</Number>
        <Badge value={unread} label={ofTicket("unread", { count: unread })} />
      </Line>
      <Preview data-unread={unread > 0 || undefined}>{lastMessageLine(ticket, myId, ofTicket)}</Preview>
      <Foot data-pending={ticket.status === "pending" || undefined}>
        {user && (
          <Agent title={t("agent", { name: user.name })}>
            <Avatar name={user.name} size={22} />
            <Hidden>{t("agent", { name: user.name })}</Hidden>
          </Agent>
        )}
        {ticket.chatbot && <Chip>{ofTicket("bot")}</Chip>}
        {ticket.tags
          .filter(({ id }) => id !== laneId)
          .map((tag) => (
            <Chip key={tag.id} tint={tag.color} title={tag.name}>
              {tag.name}
            </Chip>
          ))}
      </Foot>
    </>
  );
}

const ellipsis = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;
const QueueStrip = styled("span")({
  position: "absolute",
  left: 0,
  top: 10,
  bottom: 10,
  width: 3,
  borderRadius: "0 3px 3px 0",
});
const Line = styled("span")({ display: "flex", alignItems: "center", gap: 8, minWidth: 0, minHeight: 18 });
const Name = styled("span")({ flex: 1, minWidth: 0, fontSize: 14, fontWeight: 600, ...ellipsis });
const Time = styled("span")({ flex: "none", fontSize: 12, color: color.ink2 });
const Number = styled("span")({
  flex: 1,
  minWidth: 0,
  fontSize: 12,
  color: color.ink2,
  fontVariantNumeric: "tabular-nums",
  ...ellipsis,
});
const Preview = styled("span")({
  fontSize: 13,
  lineHeight: "19px",
  minHeight: 19,
  color: color.ink2,
  ...ellipsis,
  "&[data-unread]": { color: color.ink, fontWeight: 500 },
});
/** Leaves room for the card's buttons; what does not fit fades out. */
const Foot = styled("span")({
  display: "flex",
  alignItems: "center",
  gap: 4,
  height: 26,
  marginTop: "auto",
  marginRight: 76,
  "&[data-pending]": { marginRight: 140 },
  overflow: "hidden",
  maskImage: "linear-gradient(to right, #000 85%, transparent)",
  "& > *": { flex: "none" },
});
const Agent = styled("span")({ display: "inline-flex" });
const Hidden = styled("span")(visuallyHidden);
