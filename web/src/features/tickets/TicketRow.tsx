import { styled } from "#web/ui/styled.ts";
import type { FoundMessage, Ticket } from "@prosa/contract/tickets";
import { Check, Eye, RotateCcw } from "lucide-react";
import { memo } from "react";
import { useFormat } from "#web/lib/format.ts";
import { useMedia } from "#web/lib/hooks.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { piecesWithoutMarks } from "#web/lib/plain-text.ts";
import { useUser } from "#web/lib/session.ts";
import { useLongPress } from "#web/lib/useLongPress.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Badge, Chip } from "#web/ui/Chip.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { color, media } from "#web/ui/theme.ts";
import { lastAuthor, lastMessageText } from "./last-message.ts";
import { RowChoice } from "./RowChoice.tsx";
import { ticketMessages } from "./tickets.i18n.ts";
import type { TicketVerb } from "./tickets.api.ts";

/** Small screens shorten the contact's name (T-04). */
const shortName = 10;

export const ticketRowHeight = 88;

export interface TicketRowProps {
  readonly ticket: Ticket;
  /** The message for which a search found it, shown instead of the last one (T-03). */
  readonly found?: FoundMessage | undefined;
  readonly isSelected: boolean;
  /** Chosen for what is done to many at once. */
  readonly isChosen: boolean;
  /** Some row is chosen: a finger chooses then, and does not open. */
  readonly isChoosing: boolean;
  readonly onChoose: (ticketId: number, isRange: boolean) => void;
  readonly canPeek: boolean;
  readonly canAct: boolean;
  readonly onOpen: (ticket: Ticket, found?: FoundMessage) => void;
  readonly onPeek: (ticket: Ticket) => void;
  readonly onVerb: (verb: TicketVerb, ticket: Ticket) => void;
}

/** One conversation in a list (T-04). A pending one does not open until somebody accepts it (T-07). */
export const TicketRow = memo(function TicketRow(props: TicketRowProps) {
  const { ticket, found, onOpen, onVerb } = props;
  const t = useMessages(ticketMessages);
  const format = useFormat();
  const isPhone = useMedia(media.phone);
  const isPending = ticket.status === "pending";
  const name = ticket.contact.name || ticket.contact.number;
  const shownName = isPhone && [...name].length > shortName ? `${[...name].slice(0, shortName).join("")}…` : name;
  const unread = ticket.unreadMessages;
  const author = lastAuthor(ticket, useUser().id);
  const choose = (isRange: boolean) => props.onChoose(ticket.id, isRange);
  const press = useLongPress(() => choose(false));

  return (
    <Row
      {...press.handlers}
      data-selected={props.isSelected || undefined}
      data-pending={isPending || undefined}
      data-chosen={props.isChosen || undefined}
      onClickCapture={(event) => {
        const isOnRow = event.target instanceof Element && event.target.closest("[data-main]") !== null;
        const isLong = press.takeLong();
        const isByFinger = (event.nativeEvent as Partial<globalThis.PointerEvent>).pointerType === "touch";
        const isChoice = event.shiftKey || event.ctrlKey || event.metaKey || (props.isChoosing && isByFinger);
        if (isLong || (isOnRow && (isChoice || isPending))) {
          event.stopPropagation();
          event.preventDefault();
        }
        if (isOnRow && isChoice && !isLong) {
          choose(event.shiftKey);
        }
      }}
      onContextMenu={(event) => press.isHeld() && event.preventDefault()}
    >
      <Strip
        style={{ backgroundColor: ticket.queue?.color ?? color.line }}
        title={ticket.queue?.name ?? t("noQueue")}
      />
      <Main
        type="button"
        data-main=""
        aria-current={props.isSelected || undefined}
        aria-disabled={(isPending && !props.isChoosing) || undefined}
        onClick={() => onOpen(ticket, found)}
      >
        <Avatar name={name} image={ticket.contact.profilePicUrl} />
        <Text>
          <Line>
            <Name title={name}>{shownName}</Name>
            <Time>{format.listTime(ticket.lastMessageAt ?? ticket.createdAt)}</Time>
          </Line>
          <Line>
            {found ? (
              <Last data-testid="found">
                {piecesWithoutMarks(found.snippet).map((piece, index) =>
                  index % 2 === 1 ? <Mark key={index}>{piece}</Mark> : piece,
                )}
              </Last>
            ) : (
              <Last data-unread={unread > 0 || undefined}>
                {author && `${t(author)}: `}
                {lastMessageText(ticket, t)}
              </Last>
            )}
            <Badge value={unread} says={t("unread", { count: unread })} />
          </Line>
          <Chips>
            {ticket.whatsapp && <Chip>{ticket.whatsapp.name}</Chip>}
            <Chip tint={ticket.queue?.color ?? null}>{ticket.queue?.name ?? t("noQueue")}</Chip>
            {ticket.chatbot && <Chip>{t("bot")}</Chip>}
            {ticket.tags.map((tag) => (
              <Chip key={`t${tag.id}`} tint={tag.color}>
                {tag.name}
              </Chip>
            ))}
            {ticket.products.map((product) => (
              <Chip key={`p${product.id}`}>{product.name}</Chip>
            ))}
            {ticket.user && <Chip>{ticket.user.name}</Chip>}
          </Chips>
        </Text>
      </Main>
      <RowChoice name={name} isChosen={props.isChosen} isChoosing={props.isChoosing} onChoose={choose} />
      <Actions>
        {isPending && props.canPeek && (
          <IconButton size="small" label={t("peek")} onClick={() => props.onPeek(ticket)}>
            <Eye />
          </IconButton>
        )}
        {isPending && (
          <AcceptButton type="button" onClick={() => onVerb("accept", ticket)}>
            {t("accept")}
          </AcceptButton>
        )}
        {ticket.status === "open" && props.canAct && (
          <IconButton size="small" label={t("resolve")} onClick={() => onVerb("resolve", ticket)}>
            <Check />
          </IconButton>
        )}
        {ticket.status === "closed" && (
          <IconButton size="small" label={t("reopen")} onClick={() => onVerb("reopen", ticket)}>
            <RotateCcw />
          </IconButton>
        )}
      </Actions>
    </Row>
  );
});

const Row = styled("div")({
  position: "relative",
  display: "flex",
  height: ticketRowHeight,
  borderBottom: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  "&:hover": { backgroundColor: color.hover },
  "&[data-selected], &[data-chosen]": { backgroundColor: color.accentSoft },
});

const Strip = styled("span")({ flex: "none", width: 5, margin: "10px 0", borderRadius: "0 3px 3px 0" });

const Main = styled("button")({
  flex: 1,
  minWidth: 0,
  display: "flex",
  alignItems: "flex-start",
  gap: 10,
  padding: "10px 12px 8px 9px",
  border: 0,
  background: "none",
  textAlign: "left",
  cursor: "pointer",
  "&[aria-disabled]": { cursor: "default" },
  "&:focus-visible": { outlineOffset: -2 },
  // A long press is no search for a word to copy.
  "@media (pointer: coarse)": { userSelect: "none", WebkitTouchCallout: "none" },
});

const Text = styled("span")({ flex: 1, minWidth: 0, display: "flex", flexDirection: "column", gap: 3 });
const Line = styled("span")({ display: "flex", alignItems: "center", gap: 8, minWidth: 0 });
const ellipsis = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;
const Name = styled("span")({ flex: 1, fontWeight: 600, fontSize: 14, ...ellipsis });
const Time = styled("span")({ flex: "none", fontSize: 12, color: color.ink2 });
const Last = styled("span")({
  flex: 1,
  fontSize: 13,
  color: color.ink2,
  ...ellipsis,
  "&[data-unread]": { color: color.ink, fontWeight: 500 },
});
const Mark = styled("mark")({
  borderRadius: 3,
  backgroundColor: color.accentSoft,
  color: color.ink,
  fontWeight: 600,
});
const Chips = styled("span")({
  display: "flex",
  gap: 4,
  overflow: "hidden",
  maskImage: "linear-gradient(to right, #000 88%, transparent)",
  "& > span": { flex: "none" },
});

const Actions = styled("div")({
  position: "absolute",
  right: 8,
  bottom: 4,
  display: "flex",
  alignItems: "center",
  gap: 4,
  borderRadius: 8,
  backgroundColor: color.panel,
  opacity: 0,
  "[data-pending] > &, div:hover > &, &:focus-within": { opacity: 1 },
  "[data-selected] > &, [data-chosen] > &": { backgroundColor: color.accentSoft },
  "@media (hover: none)": { opacity: 1 },
});

const AcceptButton = styled("button")({
  // Clear of the unread count above it.
  height: 26,
  padding: "0 12px",
  border: 0,
  borderRadius: 6,
  backgroundColor: color.accent,
  color: color.onAccent,
  fontSize: 12,
  fontWeight: 600,
  cursor: "pointer",
  "&:hover": { backgroundColor: color.accentHover },
});
