import { useDraggable } from "@dnd-kit/core";
import type { Ticket } from "@prosa/contract/tickets";
import { ArrowRightLeft, MessageSquare } from "lucide-react";
import { memo } from "react";
import { ticketMessages } from "#web/features/tickets/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { ColorDot } from "#web/ui/Chip.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ActionMenu } from "#web/ui/Menu.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, fingerArea, media } from "#web/ui/theme.ts";
import { kanbanMessages } from "../kanban.i18n.ts";
import type { Lane } from "../lanes.ts";
import { nameOfCard, nameOfLane } from "./card-names.ts";
import { CardBody, cardHeight } from "./CardBody.tsx";
import { cardId, type Dragged } from "./drag.ts";

export interface CardActions {
  /** The lanes to move to. */
  readonly lanes: readonly Lane[];
  readonly onOpen: (ticket: Ticket) => void;
  readonly onAccept: (ticket: Ticket) => void;
  readonly onMove: (ticket: Ticket, from: number, to: Lane) => void;
}

interface CardProps {
  readonly ticket: Ticket;
  readonly lane: Lane;
  /** Its conversation is open beside the board. */
  readonly isActive: boolean;
  /** Its move is not confirmed yet. */
  readonly isMoving: boolean;
  readonly actions: CardActions;
}

/** A conversation on the board: drag it, or pick it up with the keyboard. A pending one opens once it is accepted (T-07). */
export const Card = memo(function Card({ ticket, lane, isActive, isMoving, actions }: CardProps) {
  const drag = useDraggable({
    id: cardId(lane.id, ticket.id),
    data: { kind: "card", ticket, lane } satisfies Dragged,
  });
  const t = useMessages(kanbanMessages);
  return (
    <Frame
      ref={drag.setNodeRef}
      data-active={isActive || undefined}
      data-moving={isMoving || undefined}
      data-dragged={drag.isDragging || undefined}
    >
      <Handle
        {...drag.attributes}
        {...drag.listeners}
        ref={drag.setActivatorNodeRef}
        data-handle={ticket.id}
        aria-roledescription={t("card")}
        aria-busy={isMoving || undefined}
        onClick={() => actions.onOpen(ticket)}
        // a long press picks the card up
        onContextMenu={(event) => event.preventDefault()}
      >
        <Face ticket={ticket} laneId={lane.id} />
      </Handle>
      <CardButtons ticket={ticket} lane={lane} actions={actions} />
    </Frame>
  );
});

/** Apart from the frame, which renders again at every lane that a drag enters. */
const Face = memo(CardBody);

/** The card that follows the pointer. */
export function DraggedCard({ ticket, lane }: Pick<CardProps, "ticket" | "lane">) {
  return (
    <Frame data-overlay="">
      <Handle as="div">
        <CardBody ticket={ticket} laneId={lane.id} />
      </Handle>
    </Frame>
  );
}

const CardButtons = memo(function CardButtons({
  ticket,
  lane: current,
  actions,
}: Pick<CardProps, "ticket" | "lane" | "actions">) {
  const t = useMessages(kanbanMessages);
  const ofTicket = useMessages(ticketMessages);
  const name = nameOfCard(ticket);
  const preview = {
    key: "preview",
    label: t("open", { name }),
    icon: <MessageSquare />,
    onSelect: () => actions.onOpen(ticket),
  };
  return (
    <Buttons>
      {ticket.status === "pending" ? (
        <Small>
          <Button onClick={() => actions.onAccept(ticket)}>{ofTicket("accept")}</Button>
        </Small>
      ) : (
        <IconButton size="small" label={t("open", { name })} onClick={() => actions.onOpen(ticket)}>
          <MessageSquare />
        </IconButton>
      )}
      <ActionMenu
        header={t("moveTo")}
        actions={[
          ...actions.lanes.map((lane) => ({
            key: String(lane.id),
            label: nameOfLane(lane, t),
            icon: <ColorDot tint={lane.tag?.color} />,
            isSelected: lane.id === current.id,
            onSelect: () => actions.onMove(ticket, current.id, lane),
          })),
          // a click on the card previews it, but a key picks the card up, and its button accepts
          ...(ticket.status === "pending" ? (["line", preview] as const) : []),
        ]}
        opener={(opener) => (
          <IconButton size="small" label={t("more", { name })} {...opener}>
            <ArrowRightLeft />
          </IconButton>
        )}
      />
    </Buttons>
  );
});

const Frame = styled("div")({
  position: "relative",
  height: cardHeight,
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  overflow: "hidden",
  backgroundColor: color.panel,
  "&:hover": { borderColor: color.lineStrong },
  "&[data-active]": { backgroundColor: color.accentSoft, borderColor: color.accent },
  "&[data-moving]": { opacity: 0.75 },
  "&[data-dragged]": { opacity: 0.35, borderStyle: "dashed" },
  "&[data-overlay]": { cursor: "grabbing", borderColor: color.accent, boxShadow: color.shadow },
  "&:has([data-handle]:focus-visible)": { outline: `2px solid ${color.accent}`, outlineOffset: -1 },
});

const Handle = styled("div")({
  height: "100%",
  display: "flex",
  flexDirection: "column",
  gap: 3,
  padding: "9px 12px 8px 13px",
  cursor: "pointer",
  outline: 0,
  touchAction: "manipulation",
  // A long press picks the card up, not a word of it.
  [media.coarse]: { userSelect: "none", WebkitTouchCallout: "none" },
});

const Buttons = styled("div")({
  position: "absolute",
  right: 6,
  bottom: 6,
  display: "flex",
  alignItems: "center",
  gap: 2,
  // icons only: the button to accept is as wide as its word
  [media.coarse]: {
    "& button[data-size='small']": { width: 28, height: 28, "&::after": fingerArea(28) },
    gap: 16,
    right: 14,
  },
});

const Small = styled("span")({
  display: "contents",
  "& > button": { minHeight: 26, padding: "0 10px", borderRadius: 6, fontSize: 12 },
  [media.coarse]: { "& > button": { position: "relative", height: 28, minHeight: 28, "&::after": fingerArea(26) } },
});
