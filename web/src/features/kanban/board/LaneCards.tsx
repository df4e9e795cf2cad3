import type { Ticket } from "@prosa/contract/tickets";
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { NEAR_END_PX } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { EmptyState, ErrorState, Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { kanbanMessages } from "../kanban.i18n.ts";
import { useLaneMoves } from "../lane-moves.ts";
import type { CardList, Lane } from "../lanes.ts";
import { Card, type CardActions } from "./Card.tsx";
import { cardHeight } from "./CardBody.tsx";
import { useLaneCards } from "./useLaneCards.ts";

const gapPx = 8;
const pitch = cardHeight + gapPx;

interface LaneCardsProps {
  readonly lane: Lane;
  readonly list: CardList;
  readonly isSeen: boolean;
  readonly activeUuid: string | undefined;
  readonly actions: CardActions;
  /** The card of this lane that is in the hand. */
  readonly held: Ticket | undefined;
  /** A card of this lane that gets the focus as soon as it is shown. */
  readonly focusId: number | undefined;
  readonly onFocused: () => void;
}

/** The cards of one lane; only those near the visible part are in the page. */
export const LaneCards = memo(function LaneCards(props: LaneCardsProps) {
  const { list, actions, held } = props;
  const t = useMessages(kanbanMessages);
  const lane = useLaneCards(list, props.isSeen);
  const { cards, hasMore, isFetching, error, onMore, onLookedAt } = lane;
  const moves = useLaneMoves();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => pitch,
    getItemKey: useCallback((index: number) => cards[index]?.id ?? index, [cards]),
    overscan: 3,
  });
  const visible = virtual.getVirtualItems();
  const lookedAt = (visible.at(-1)?.index ?? -1) + 1;

  useEffect(() => onLookedAt(lookedAt), [onLookedAt, lookedAt]);
  useStillCards(scroller, cards);
  useFocusedCard(scroller, props, cards, virtual.scrollToIndex);

  const loadMoreNearEnd = () => {
    const element = scroller.current;
    if (element && hasMore && !isFetching && !error) {
      const left = element.scrollHeight - element.scrollTop - element.clientHeight;
      if (left < NEAR_END_PX) {
        onMore();
      }
    }
  };
  // a page that does not fill the lane cannot be scrolled: load the next one
  useEffect(loadMoreNearEnd);

  if (lane.isLoading) {
    return props.isSeen && !error ? <Bones label={t("loading")} /> : null;
  }
  if (error && cards.length === 0) {
    return <ErrorState title={t("failed")} error={error} onRetry={lane.onRetry} />;
  }
  if (cards.length === 0 && !held) {
    return <EmptyLane lane={props.lane} isFiltered={list.searchParam !== "" || list.queueIds.length > 0} />;
  }
  const isHeldShown = held === undefined || visible.some(({ index }) => cards[index]?.id === held.id);
  const cardOf = (ticket: Ticket) => (
    <Card
      ticket={ticket}
      lane={props.lane}
      isActive={ticket.uuid === props.activeUuid}
      isMoving={moves.has(ticket.id)}
      actions={actions}
    />
  );
  return (
    <Scroller ref={scroller} onScroll={loadMoreNearEnd} data-testid="lane-cards">
      <Canvas role="list" style={{ height: virtual.getTotalSize() }}>
        {visible.map(({ index, key, start }) => {
          const ticket = cards[index];
          return ticket ? (
            <Place role="listitem" key={key} style={{ transform: `translateY(${start}px)` }} data-card={ticket.id}>
              {cardOf(ticket)}
            </Place>
          ) : null;
        })}
        {/* A touch ends where it began: its element stays, though the card is scrolled away, moved or closed meanwhile. */}
        {!isHeldShown && held && (
          <Place key={held.id} style={{ visibility: "hidden" }} aria-hidden>
            {cardOf(held)}
          </Place>
        )}
      </Canvas>
      {isFetching && hasMore && <Bones label={t("loadingMore")} />}
      {error && hasMore && <ErrorState error={error} onRetry={onMore} />}
    </Scroller>
  );
});

/** Cards that come or go above the visible ones do not move what the user reads. */
function useStillCards(scroller: { readonly current: HTMLDivElement | null }, cards: readonly Ticket[]): void {
  const anchor = useRef<{ readonly id: number; readonly index: number }>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    const { id, index } = anchor.current ?? {};
    const now = cards.findIndex((card) => card.id === id);
    if (element && element.scrollTop > 0 && index !== undefined && now !== -1 && now !== index) {
      element.scrollTop += (now - index) * pitch;
    }
  }, [scroller, cards]);
  useEffect(() => {
    const index = Math.floor((scroller.current?.scrollTop ?? 0) / pitch);
    const card = cards[index];
    anchor.current = card && { id: card.id, index };
  });
}

/** Focuses the wanted card where the keyboard left it: scrolled to, and rendered by then. */
function useFocusedCard(
  scroller: { readonly current: HTMLDivElement | null },
  { focusId, onFocused }: Pick<LaneCardsProps, "focusId" | "onFocused">,
  cards: readonly Ticket[],
  scrollToIndex: (index: number) => void,
): void {
  useEffect(() => {
    const index = cards.findIndex(({ id }) => id === focusId);
    if (focusId === undefined || index === -1) {
      return undefined;
    }
    scrollToIndex(index);
    const frame = requestAnimationFrame(() => {
      const handle = scroller.current?.querySelector<HTMLElement>(`[data-handle="${focusId}"]`);
      handle?.focus();
      onFocused();
    });
    return () => cancelAnimationFrame(frame);
  }, [focusId, onFocused, cards, scrollToIndex, scroller]);
}

function EmptyLane({ lane, isFiltered }: { readonly lane: Lane; readonly isFiltered: boolean }) {
  const t = useMessages(kanbanMessages);
  if (isFiltered) {
    return <EmptyState title={t("noneFound")} text={t("noneFoundText")} />;
  }
  return lane.tag === undefined ? (
    <EmptyState title={t("openEmpty")} text={t("openEmptyText")} />
  ) : (
    <EmptyState title={t("laneEmpty")} text={t("laneEmptyText")} />
  );
}

function Bones({ label }: { readonly label: string }) {
  return (
    <Waiting role="status" aria-label={label}>
      {["60%", "45%", "70%"].map((width) => (
        <span key={width}>
          <Skeleton style={{ width }} />
          <Skeleton style={{ width: "40%" }} />
          <Skeleton style={{ width: "85%" }} />
        </span>
      ))}
    </Waiting>
  );
}

const Scroller = styled("div")({
  flex: 1,
  minHeight: 0,
  padding: "0 8px 8px",
  overflowY: "auto",
  overscrollBehaviorY: "contain",
  overflowAnchor: "none",
  scrollbarWidth: "thin",
  contain: "strict",
});
const Canvas = styled("div")({ position: "relative", width: "100%" });
const Place = styled("div")({ position: "absolute", top: 0, left: 0, right: 0 });
const Waiting = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: gapPx,
  padding: "0 8px",
  "& > span": {
    display: "flex",
    flexDirection: "column",
    gap: 10,
    height: cardHeight,
    padding: 13,
    borderRadius: 8,
    border: `1px solid ${color.line}`,
    backgroundColor: color.panel,
  },
});
