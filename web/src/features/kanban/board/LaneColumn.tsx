import { useDraggable, useDroppable } from "@dnd-kit/core";
import { ArrowLeft, ArrowRight, EllipsisVertical } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { ColorDot } from "#web/ui/Chip.tsx";
import { parseHex } from "#web/ui/contrast.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ActionMenu } from "#web/ui/Menu.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media, size, visuallyHidden } from "#web/ui/theme.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { kanbanMessages } from "../kanban.i18n.ts";
import type { Lane } from "../lanes.ts";
import { nameOfLane } from "./card-names.ts";
import { dropId, laneHandleId, type Dragged } from "./drag.ts";
import { LaneCards } from "./LaneCards.tsx";

/** Steps that a lane may take in the order; absent at the ends, and for who may not change it. */
export interface LaneOrder {
  readonly onLeft?: (() => void) | undefined;
  readonly onRight?: (() => void) | undefined;
}

interface LaneColumnProps extends Omit<Parameters<typeof LaneCards>[0], "isSeen"> {
  readonly count: number | undefined;
  readonly order: LaneOrder | undefined;
  /** The side where the dragged lane would stand. */
  readonly insertion: "before" | "after" | undefined;
}

/** One lane: its header stands, its cards scroll. Its cards are fetched once it comes near the visible part of the board. */
export function LaneColumn({ count, order, insertion, ...cards }: LaneColumnProps) {
  const { lane } = cards;
  const t = useMessages(kanbanMessages);
  const drop = useDroppable({ id: dropId(lane.id), data: { lane } });
  const { isSeen, watch } = useSeen();
  const name = nameOfLane(lane, t);
  return (
    <Column
      ref={drop.setNodeRef}
      data-lane={lane.id}
      data-over={(drop.isOver && insertion === undefined) || undefined}
      data-insertion={drop.isOver ? insertion : undefined}
      aria-label={name}
    >
      <div ref={watch}>
        <LaneHead lane={lane} count={count} order={order} />
      </div>
      <LaneCards {...cards} isSeen={isSeen} />
    </Column>
  );
}

function LaneHead({ lane, count, order }: Pick<LaneColumnProps, "lane" | "count" | "order">) {
  const t = useMessages(kanbanMessages);
  const drag = useDraggable({
    id: laneHandleId(lane.id),
    data: { kind: "lane", lane } satisfies Dragged,
    disabled: order === undefined,
  });
  const name = nameOfLane(lane, t);
  const actions = [
    ...(order?.onLeft ? [{ key: "left", label: t("laneLeft"), icon: <ArrowLeft />, onSelect: order.onLeft }] : []),
    ...(order?.onRight ? [{ key: "right", label: t("laneRight"), icon: <ArrowRight />, onSelect: order.onRight }] : []),
  ];
  return (
    <Head style={tintOf(lane)} ref={drag.setNodeRef} data-dragged={drag.isDragging || undefined}>
      {order ? (
        <Title
          as="div"
          {...drag.attributes}
          {...drag.listeners}
          ref={drag.setActivatorNodeRef}
          data-movable=""
          aria-roledescription={t("laneHandle")}
          onContextMenu={(event) => event.preventDefault()}
        >
          <LaneTitle lane={lane} count={count} />
        </Title>
      ) : (
        <Title>
          <LaneTitle lane={lane} count={count} />
        </Title>
      )}
      {actions.length > 0 && (
        <ActionMenu
          actions={actions}
          opener={(opener) => (
            <IconButton size="small" label={t("laneMenu", { lane: name })} {...opener}>
              <EllipsisVertical />
            </IconButton>
          )}
        />
      )}
    </Head>
  );
}

/** The lane that follows the pointer. */
export function DraggedLane({ lane, count }: Pick<LaneColumnProps, "lane" | "count">) {
  return (
    <Head style={tintOf(lane)} data-overlay="">
      <Title>
        <LaneTitle lane={lane} count={count} />
      </Title>
    </Head>
  );
}

function LaneTitle({ lane, count }: Pick<LaneColumnProps, "lane" | "count">) {
  const t = useMessages(kanbanMessages);
  const format = useFormat();
  const name = nameOfLane(lane, t);
  return (
    <>
      <ColorDot tint={lane.tag?.color} />
      <h2 title={name}>{name}</h2>
      {count !== undefined && (
        <>
          <Count aria-hidden data-testid="lane-count">
            {format.number(count)}
          </Count>
          <Hidden>{t("cards", { count })}</Hidden>
        </>
      )}
    </>
  );
}

/** A tint of the tag's colour: the ink on it stays readable in both themes. */
function tintOf({ tag }: Lane) {
  return tag && parseHex(tag.color)
    ? {
        borderTopColor: tag.color,
        backgroundColor: `color-mix(in srgb, ${tag.color} 14%, ${color.panel})`,
      }
    : undefined;
}

/** Becomes true when the element first comes near the visible part, sideways too, and stays so. */
function useSeen() {
  const [isSeen, setSeen] = useState(false);
  const watch = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), {
      rootMargin: "0px 200px",
    });
    if (watch.current && !isSeen) {
      observer.observe(watch.current);
    }
    return () => observer.disconnect();
  }, [isSeen]);
  return { isSeen, watch };
}

const Column = styled("section")({
  flex: "none",
  position: "relative",
  width: 296,
  height: "100%",
  display: "flex",
  flexDirection: "column",
  gap: 8,
  // gaps between lanes belong to them: a card dropped there has a lane
  padding: "0 6px",
  scrollSnapAlign: "start",
  "&::before": {
    content: "''",
    position: "absolute",
    inset: "0 6px",
    borderRadius: 10,
    border: "1px solid transparent",
    backgroundColor: color.chip,
    pointerEvents: "none",
  },
  "& > *": { position: "relative" },
  "&[data-over]::before": { borderColor: color.accent, backgroundColor: color.accentSoft },
  "&[data-insertion]::after": {
    content: "''",
    position: "absolute",
    top: 0,
    bottom: 0,
    width: 4,
    borderRadius: 2,
    backgroundColor: color.accent,
  },
  "&[data-insertion='before']::after": { left: -2 },
  "&[data-insertion='after']::after": { right: -2 },
  [media.phone]: { width: "calc(100vw - 64px)" },
});
const Head = styled("header")({
  flex: "none",
  display: "flex",
  alignItems: "center",
  gap: 4,
  minHeight: 44,
  padding: "0 6px 0 4px",
  borderTop: `3px solid ${color.lineStrong}`,
  borderRadius: "10px 10px 0 0",
  backgroundColor: color.panel,
  "&[data-dragged]": { opacity: 0.4 },
  "&[data-overlay]": { width: 284, borderRadius: 10, boxShadow: color.shadow, cursor: "grabbing" },
});
const Title = styled("div")({
  flex: 1,
  minWidth: 0,
  display: "flex",
  alignItems: "center",
  gap: 8,
  minHeight: 36,
  padding: "0 8px",
  borderRadius: 6,
  "&[data-movable]": { cursor: "grab", touchAction: "manipulation" },
  "& h2": {
    minWidth: 0,
    fontSize: 13,
    fontWeight: 600,
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
  },
  [media.coarse]: { minHeight: size.finger, userSelect: "none", WebkitTouchCallout: "none" },
});
const Count = styled("span")({
  flex: "none",
  padding: "0 7px",
  borderRadius: 9,
  fontSize: 12,
  lineHeight: "18px",
  color: color.ink,
  backgroundColor: `color-mix(in srgb, ${color.ink} 8%, transparent)`,
});
const Hidden = styled("span")(visuallyHidden);
