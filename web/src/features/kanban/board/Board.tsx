import { DndContext, DragOverlay, MeasuringStrategy, type DragEndEvent, type DragStartEvent } from "@dnd-kit/core";
import type { Ticket } from "@prosa/contract/tickets";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState, type ReactNode } from "react";
import { ticketInLists } from "#web/features/tickets/index.ts";
import { ApiError } from "#web/lib/api/apiError.ts";
import { useCan } from "#web/lib/session/permissions.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { ErrorState, ProgressBar } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { laneCountsOptions, laneTagsOptions, useOrderLanes } from "../kanban.api.ts";
import { kanbanMessages } from "../kanban.i18n.ts";
import { useLaneMoves } from "../lane-moves.ts";
import { cardListOf, countWithMoves, lanesOf, reordered, type BoardFilter, type Lane } from "../lanes.ts";
import { DraggedCard, type CardActions } from "./Card.tsx";
import { focusNextCard, keepLetters } from "./card-keys.ts";
import { laneOver, lanesWithin, useBoardSensors, type Dragged } from "./drag.ts";
import { DraggedLane, LaneColumn, type LaneOrder } from "./LaneColumn.tsx";
import { speech } from "./speech.ts";
import { useMoveCard } from "./useMoveCard.ts";

/** A card that shall get the focus. */
export interface CardFocus {
  readonly ticketId: number;
  readonly laneId: number;
}

export interface BoardProps extends Omit<CardActions, "lanes" | "onMove"> {
  readonly filter: BoardFilter;
  readonly activeUuid: string | undefined;
  readonly focus: CardFocus | undefined;
  readonly onFocus: (focus: CardFocus | undefined) => void;
  /** Shown behind the open lane while the company has no other. */
  readonly withoutLanes: ReactNode;
}

/** The open lane and a lane for each tag of the kanban, side by side; cards and lanes are dragged (O-02). */
export function Board(props: BoardProps) {
  const { filter, onFocus, onOpen, onAccept } = props;
  const t = useMessages(kanbanMessages);
  const tags = useQuery(laneTagsOptions);
  const counts = useQuery(laneCountsOptions(filter)).data?.lanes;
  const moves = useLaneMoves();
  const lanes = useMemo(() => lanesOf(tags.data?.lista ?? []), [tags.data]);
  const lists = useMemo(() => new Map(lanes.map(({ id }) => [id, cardListOf(filter, id)])), [lanes, filter]);
  const move = useMoveCard(lanes);
  const order = useLaneOrder(lanes);
  const board = useRef<HTMLDivElement>(null);
  const hand = useHand(board, lanes, move, order.place, onFocus);
  const actions = useMemo(() => ({ onOpen, onAccept, lanes, onMove: move }), [onOpen, onAccept, lanes, move]);
  const onFocused = useCallback(() => onFocus(undefined), [onFocus]);

  const countOf = (laneId: number) => {
    const count = counts?.find((each) => each.laneId === laneId)?.count;
    return count === undefined ? undefined : countWithMoves(count, moves, laneId);
  };
  if (tags.isPending) {
    return <ProgressBar label={t("loading")} />;
  }
  if (tags.isError && !tags.data) {
    return <ErrorState title={t("failed")} error={tags.error} onRetry={() => void tags.refetch()} />;
  }
  const { held } = hand;
  return (
    <DndContext {...hand.context}>
      <Lanes
        ref={board}
        role="group"
        aria-label={t("board")}
        data-held={held ? "" : undefined}
        data-testid="board"
        data-sideways
        onKeyDown={held ? keepLetters : focusNextCard}
      >
        {lanes.map((lane, index) => (
          <LaneColumn
            key={lane.id}
            lane={lane}
            list={lists.get(lane.id)!}
            count={countOf(lane.id)}
            order={order.of(lane)}
            insertion={held?.kind === "lane" ? insertionAt(index, lanes, held.lane) : undefined}
            activeUuid={props.activeUuid}
            actions={actions}
            held={held?.kind === "card" && held.lane.id === lane.id ? held.ticket : undefined}
            focusId={props.focus?.laneId === lane.id ? props.focus.ticketId : undefined}
            onFocused={onFocused}
          />
        ))}
        {lanes.length === 1 && <Beside>{props.withoutLanes}</Beside>}
      </Lanes>
      <DragOverlay dropAnimation={null}>
        {held?.kind === "card" && <DraggedCard ticket={held.ticket} lane={held.lane} />}
        {held?.kind === "lane" && <DraggedLane lane={held.lane} count={countOf(held.lane.id)} />}
      </DragOverlay>
    </DndContext>
  );
}

/** What is in the hand, and what a drop does. */
function useHand(
  board: { readonly current: HTMLDivElement | null },
  lanes: readonly Lane[],
  move: (ticket: Ticket, from: number, to: Lane) => void,
  place: (lane: Lane, at: Lane) => void,
  onFocus: (focus: CardFocus) => void,
) {
  const t = useMessages(kanbanMessages);
  const queryClient = useQueryClient();
  const [held, setHeld] = useState<Dragged>();
  const visible = useRef<DOMRect>(undefined);
  const collisionDetection = useMemo(() => lanesWithin(() => visible.current), []);
  const accessibility = useMemo(() => speech(t), [t]);
  const sensors = useBoardSensors();

  const onDragStart = ({ active }: DragStartEvent) => {
    visible.current = board.current?.getBoundingClientRect();
    setHeld(active.data.current as Dragged);
  };
  const onDragEnd = ({ over, activatorEvent }: DragEndEvent) => {
    // the lane as it is now: its tag may have been renamed meanwhile
    const target = lanes.find(({ id }) => id === laneOver(over)?.id);
    setHeld(undefined);
    if (!target || !held) {
      return;
    }
    if (held.kind === "lane") {
      place(held.lane, target);
      return;
    }
    const { ticket, lane } = held;
    const now = ticketInLists(queryClient, ticket.uuid);
    if (now === undefined || now.status === "closed") {
      toast.info(t("gone"));
      return;
    }
    move(now, lane.id, target);
    if (activatorEvent instanceof KeyboardEvent) {
      onFocus({ ticketId: ticket.id, laneId: target.id });
    }
  };
  return {
    held,
    context: {
      sensors,
      collisionDetection,
      accessibility,
      autoScroll: scrolling(board),
      measuring,
      onDragStart,
      onDragEnd,
      onDragCancel: () => setHeld(undefined),
    },
  };
}

/** New lanes and scrolling move the lanes while one is dragged. */
const measuring = { droppable: { strategy: MeasuringStrategy.WhileDragging } };

/** Near its edges the board scrolls; lanes do not, because a card's place in them follows from its time. */
function scrolling(board: { readonly current: HTMLDivElement | null }) {
  return { canScroll: (element: Element) => element === board.current, threshold: { x: 0.14, y: 0 } };
}

/** Everybody's order of the lanes, and the steps for who may change it. */
function useLaneOrder(lanes: readonly Lane[]) {
  const t = useMessages(kanbanMessages);
  const mayOrder = useCan("tags:editKanban");
  const { mutate } = useOrderLanes();
  const tags = lanes.flatMap(({ tag }) => tag ?? []);
  const place = (lane: Lane, at: Lane) => {
    const next = reordered(tags, lane.id, at.id);
    if (next !== tags) {
      mutate(next, {
        onError: (error) =>
          error instanceof ApiError && error.code === "network" ? toast.error(t("lanesOffline")) : toast.failure(error),
      });
    }
  };
  const of = (lane: Lane): LaneOrder | undefined => {
    const at = lanes.indexOf(lane);
    const [left, right] = [at > 1 ? lanes[at - 1] : undefined, lanes[at + 1]];
    return mayOrder && lane.tag
      ? { onLeft: left && (() => place(lane, left)), onRight: right && (() => place(lane, right)) }
      : undefined;
  };
  return { place, of };
}

function insertionAt(index: number, lanes: readonly Lane[], dragged: Lane): "before" | "after" {
  const from = lanes.findIndex(({ id }) => id === dragged.id);
  return index === 0 || index > from ? "after" : "before";
}

const Lanes = styled("div")({
  flex: 1,
  minHeight: 0,
  minWidth: 0,
  display: "flex",
  padding: "10px 6px",
  overflowX: "auto",
  overflowY: "hidden",
  overscrollBehaviorX: "contain",
  backgroundColor: color.background,
  [media.phone]: { scrollSnapType: "x proximity", scrollPaddingLeft: 6 },
  // snapping would fight the scrolling at the edges
  "&[data-held]": { scrollSnapType: "none" },
});
const Beside = styled("div")({
  flex: 1,
  minWidth: 280,
  alignSelf: "center",
  // behind the open lane nobody would find it
  [media.phone]: { order: -1, flex: "none", width: "calc(100vw - 64px)" },
});
