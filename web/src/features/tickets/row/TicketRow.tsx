import { styled } from "#web/ui/styled.ts";
import type { FoundMessage, Ticket } from "@prosa/contract/tickets";
import { Check, RotateCcw } from "lucide-react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { isComposerFocused } from "#web/lib/browser/key-owner.ts";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { useLongPress } from "#web/lib/browser/useLongPress.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Badge } from "#web/ui/Chip.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { Keys } from "#web/ui/Keys.tsx";
import { color, fingerArea, media, visuallyHidden } from "#web/ui/theme.ts";
import { RowPreview } from "./RowPreview.tsx";
import { RowChips } from "./RowChips.tsx";
import { RowCheckbox } from "./RowCheckbox.tsx";
import { ticketMessages } from "../tickets.i18n.ts";
import type { TicketVerb } from "../tickets.policy.ts";
import { WaitingTime } from "../waiting/index.ts";

/** Length of the contact's name on small screens (T-04). */
const shortNameLength = 10;

export const ticketRowHeight = 80;

/** What a row takes beside its chips, in px: strip, picture, gaps and padding. */
const besideChips = 75;
/** What the button in a row's corner takes where it is always shown, in px: a finger has no hover. */
const corner = 34;

export interface TicketRowProps {
  readonly ticket: Ticket;
  /** The message that a search found, shown instead of the last one (T-03). */
  readonly found?: FoundMessage | undefined;
  /** Its conversation is the open one. */
  readonly isActive: boolean;
  /** Tab reaches this row of the list, and its buttons; the keys of the list move it. */
  readonly isTabbable: boolean;
  /** The id of the head of its group. */
  readonly describedBy: string | undefined;
  /** Selected for a bulk action. */
  readonly isSelected: boolean;
  /** Some row is selected: then a tap selects instead of opening. */
  readonly isSelecting: boolean;
  readonly onToggle: (ticketId: number, isRange: boolean) => void;
  /** Of the list, in px: as many chips are shown as fit. */
  readonly width: number;
  /** The company has more than one connection. */
  readonly showsConnection: boolean;
  readonly canAct: boolean;
  /** In the waiting list; elsewhere Enter opens it to be read. */
  readonly isEnterAccepting: boolean;
  readonly onOpen: (ticket: Ticket, found?: FoundMessage) => void;
  readonly onVerb: (verb: TicketVerb, ticket: Ticket) => void;
}

/** One ticket in a list (T-04). A pending ticket is previewed until it is accepted (T-07, decision 0159). */
export function TicketRow(props: TicketRowProps) {
  const { ticket, found, onOpen, onVerb } = props;
  const t = useMessages(ticketMessages);
  const format = useFormat();
  const isPhone = useMedia(media.phone);
  const isPending = ticket.status === "pending";
  const hasNoHover = useMedia("(hover: none)");
  const hasCorner = hasNoHover && (ticket.status === "closed" || (ticket.status === "open" && props.canAct));
  const name = ticket.contact.name || ticket.contact.number;
  const shownName =
    isPhone && [...name].length > shortNameLength ? `${[...name].slice(0, shortNameLength).join("")}…` : name;
  const time = format.listTime(ticket.lastMessageAt ?? ticket.createdAt);
  const unread = ticket.unreadMessages;
  const me = useUser();
  const toggle = (isRange: boolean) => props.onToggle(ticket.id, isRange);
  const tabIndex = props.isTabbable ? 0 : -1;
  const press = useLongPress(() => toggle(false));

  return (
    <Row
      {...press.handlers}
      data-active={props.isActive || undefined}
      data-pending={isPending || undefined}
      data-selected={props.isSelected || undefined}
      onClickCapture={(event) => {
        const isOnRow = event.target instanceof Element && event.target.closest("[data-main]") !== null;
        const isLong = press.takeLong();
        const isTouch = (event.nativeEvent as Partial<globalThis.PointerEvent>).pointerType === "touch";
        const isToggle = event.shiftKey || event.ctrlKey || event.metaKey || (props.isSelecting && isTouch);
        if (isLong || (isOnRow && isToggle)) {
          event.stopPropagation();
          event.preventDefault();
        }
        if (isOnRow && isToggle && !isLong) {
          toggle(event.shiftKey);
          event.currentTarget.querySelector<HTMLElement>("[data-main]")?.focus({ preventScroll: true });
        }
      }}
      onContextMenu={(event) => press.isHeld() && event.preventDefault()}
    >
      <QueueStrip
        style={{ backgroundColor: ticket.queue?.color ?? color.ink3 }}
        title={ticket.queue?.name ?? t("noQueue")}
      />
      <Main
        type="button"
        data-main=""
        aria-describedby={props.describedBy}
        tabIndex={tabIndex}
        aria-current={props.isActive || undefined}
        // The composer keeps the cursor until the click opens a conversation: the press alone would draw the desk once more.
        onMouseDown={(event) => !hasNoHover && isComposerFocused() && event.preventDefault()}
        onClick={() => onOpen(ticket, found)}
      >
        <Avatar name={name} image={ticket.contact.profilePicUrl} size={36} />
        <Text>
          <Line>
            <Name title={name}>{shownName}</Name>
            {isPending && ticket.waitingSince !== null ? (
              <Waited title={time}>
                <WaitingTime ticket={ticket} />
                <Hidden>{time}</Hidden>
              </Waited>
            ) : (
              <Time>{time}</Time>
            )}
          </Line>
          <Line>
            <RowPreview ticket={ticket} found={found} isActive={props.isActive} me={me} />
            <Badge value={unread} label={t("unread", { count: unread })} />
          </Line>
          <RowChips
            ticket={ticket}
            myId={me.id}
            showsConnection={props.showsConnection}
            room={props.width - besideChips - (hasCorner ? corner : 0)}
          />
        </Text>
      </Main>
      <RowCheckbox
        name={name}
        isSelected={props.isSelected}
        isSelecting={props.isSelecting}
        tabIndex={tabIndex}
        onToggle={toggle}
      />
      <Actions>
        {isPending && (
          <AcceptButton type="button" tabIndex={tabIndex} onClick={() => onVerb("accept", ticket)}>
            {t("accept")} <Keys keys={props.isEnterAccepting ? "enter" : shortcuts.accept} />
          </AcceptButton>
        )}
        {ticket.status === "open" && props.canAct && (
          <IconButton size="small" tabIndex={tabIndex} label={t("resolve")} onClick={() => onVerb("resolve", ticket)}>
            <Check />
          </IconButton>
        )}
        {ticket.status === "closed" && (
          <IconButton size="small" tabIndex={tabIndex} label={t("reopen")} onClick={() => onVerb("reopen", ticket)}>
            <RotateCcw />
          </IconButton>
        )}
      </Actions>
    </Row>
  );
}

const Row = styled("div")({
  position: "relative",
  display: "flex",
  height: ticketRowHeight,
  borderBottom: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  "&:hover": { backgroundColor: color.hover },
  "&[data-active], &[data-selected]": { backgroundColor: color.accentSoft },
});

const QueueStrip = styled("span")({ flex: "none", width: 3, margin: "9px 0 18px", borderRadius: "0 3px 3px 0" });

const Main = styled("button")({
  flex: 1,
  minWidth: 0,
  display: "flex",
  alignItems: "flex-start",
  gap: 11,
  padding: "10px 14px 6px 11px",
  border: 0,
  background: "none",
  textAlign: "left",
  cursor: "pointer",
  "&:focus-visible": { outlineOffset: -2 },
  // A long press selects the row, not a word of it.
  [media.coarse]: { userSelect: "none", WebkitTouchCallout: "none" },
});

const Text = styled("span")({ flex: 1, minWidth: 0, display: "flex", flexDirection: "column", gap: 3 });
const Line = styled("span")({ display: "flex", alignItems: "center", gap: 8, minWidth: 0, minHeight: 18 });
const ellipsis = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;
const Name = styled("span")({ flex: 1, fontWeight: 600, fontSize: 14, ...ellipsis });
const Time = styled("span")({
  flex: "none",
  fontSize: 12,
  fontVariantNumeric: "tabular-nums",
  color: color.ink2,
});
const Waited = styled("span")({ flex: "none", position: "relative" });
const Hidden = styled("span")(visuallyHidden);

const Actions = styled("div")({
  position: "absolute",
  right: 12,
  bottom: 4,
  display: "flex",
  alignItems: "center",
  gap: 4,
  borderRadius: 8,
  backgroundColor: color.panel,
  opacity: 0,
  "div:hover > &, &:focus-within, [data-main]:focus-visible ~ &, [data-active][data-pending] > &": { opacity: 1 },
  // beside the unread count, not over it
  "[data-pending] > &": { right: 42, bottom: 5 },
  "[data-active] > &, [data-selected] > &": { backgroundColor: color.accentSoft },
  "@media (hover: none)": {
    opacity: 1,
    // A finger has no hover: a tap previews, and the conversation has the button to accept.
    "[data-pending]:not([data-active]) > &": { display: "none" },
  },
  // lower than the unread count, which it would cover; a finger hits more than what is seen
  "& button[data-size]": { width: 28, height: 24 },
  [media.coarse]: {
    "& button[data-size]::after": fingerArea(24),
    // the area stays within the row; the chips leave the corner free
    ":not([data-pending]) > &": { bottom: 7, backgroundColor: "transparent" },
  },
});

/** An outline: on the whole screen, green is what is done next. */
const AcceptButton = styled("button")({
  display: "inline-flex",
  alignItems: "center",
  gap: 5,
  height: 25,
  padding: "0 8px 0 10px",
  border: `1px solid ${color.lineStrong}`,
  borderRadius: 8,
  backgroundColor: color.panel,
  color: color.accent,
  fontSize: 12,
  fontWeight: 600,
  cursor: "pointer",
  "&:hover": { borderColor: color.accent, backgroundColor: color.accentSoft },
  position: "relative",
  [media.coarse]: { height: 30, "&::after": fingerArea(30) },
});
