import { styled } from "#web/ui/styled.ts";
import type { Ticket } from "@prosa/contract/tickets";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import {
  memo,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { NEAR_END_PX } from "#web/lib/browser/hooks.ts";
import { useBeforePaint } from "#web/lib/browser/useAfterPaint.ts";
import { useOfMinute } from "#web/lib/browser/minute.ts";
import { useHeldWhilePressed } from "#web/lib/browser/press.ts";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { color, size } from "#web/ui/theme.ts";
import type { TicketSelection } from "../bulk/index.ts";
import type { TicketList } from "../ticket-lists.ts";
import { fetchMore, hasStalePage, rowsOf, setVisiblePages } from "./page-window.ts";
import { ticketListOptions } from "./ticket-list.api.ts";
import { useRowFocus } from "./useRowFocus.ts";
import { groupedItems, LONG_WAIT_MINUTES, longWaitingCount, plainItems, type ListItem } from "./waiting-groups.ts";
import { TicketRow, ticketRowHeight, type TicketRowProps } from "../row/index.ts";
import { dropDeepPages } from "../tickets.cache.ts";
import { ticketMessages } from "../tickets.i18n.ts";

export interface TicketListViewProps extends Pick<TicketRowProps, "onOpen" | "onVerb" | "showsConnection"> {
  /** Enter on a row. */
  readonly onEnter: TicketRowProps["onOpen"];
  /** A key moved the focus to this row. */
  readonly onStep: (ticket: Ticket) => void;
  readonly selection: Pick<TicketSelection, "ids" | "tickets" | "toggle">;
  readonly list: TicketList;
  /**
   * How many tickets the list has, loaded or not, where the server counts them anew after each change: beyond the loaded pages an
   * event does not tell whether a ticket is new. Undefined: as many as its pages say.
   */
  readonly total: number | undefined;
  /** The ticket whose conversation is open. */
  readonly activeUuid: string | undefined;
  readonly canActOn: (ticket: Ticket) => boolean;
  readonly empty: ReactNode;
  /** Called with the current rows: J and K step through them. */
  readonly onRows?: (rows: readonly Ticket[]) => void;
}

/** A virtualized ticket list: only visible rows are in the DOM. Keys: see `useRowFocus`. */
export function TicketListView(props: TicketListViewProps) {
  const { list, activeUuid, canActOn, selection, onRows } = props;
  const t = useMessages(ticketMessages);
  const query = useInfiniteQuery(ticketListOptions(list));
  const data = useHeldWhilePressed(query.data);
  const { rows, pageOf } = useMemo(() => rowsOf(data?.pages ?? []), [data]);
  const found = useMemo(
    () => new Map(data?.pages.flatMap((page) => page.found ?? []).map((each) => [each.ticketId, each])),
    [data],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const ids = useId();
  const headId = (group: "long" | "now") => `${ids}${group}`;
  const isGrouped = list.status === "pending" && list.order === "waiting";
  const longCount = useOfMinute((now) => (isGrouped ? longWaitingCount(rows, now) : 0));
  const total = props.total ?? data?.pages[0]?.count ?? 0;
  const items = useMemo(
    () => (isGrouped ? groupedItems({ rowCount: rows.length, longCount, total }) : plainItems(rows.length)),
    [isGrouped, rows.length, longCount, total],
  );
  const lineOf = useCallback(
    (index: number) => items.findIndex((item) => item.kind === "row" && item.index === index),
    [items],
  );
  const scrollTo = useRef<(index: number) => void>(() => undefined);
  const focus = useRowFocus({
    rows,
    activeUuid,
    scroller,
    scrollTo: (index) => scrollTo.current(index),
    onStep: props.onStep,
  });
  const { tabbableIndex } = focus;
  const tabbableLine = lineOf(tabbableIndex);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (line) => (items[line]?.kind === "head" ? headHeight : ticketRowHeight),
    // Stable as long as the rows are: a new function makes the virtualizer measure every row again at each scroll event.
    getItemKey: useCallback(
      (line: number) => {
        const item = items[line];
        return item?.kind === "head" ? item.group : (rows[item?.index ?? -1]?.id ?? line);
      },
      [items, rows],
    ),
    // The row that Tab reaches stays in the DOM wherever the list is scrolled, and the focus with it.
    rangeExtractor: useCallback(
      (range: Range) => withIndex(defaultRangeExtractor(range), tabbableLine, range.count),
      [tabbableLine],
    ),
    overscan: 6,
  });

  useEffect(() => onRows?.(rows), [rows, onRows]);

  const { scrollToIndex } = virtual;
  useLayoutEffect(() => {
    // with the head above the first row of a group
    scrollTo.current = (index) => scrollToIndex(index === 0 ? 0 : lineOf(index), { align: "auto" });
  }, [scrollToIndex, lineOf]);
  const activeIndex = rows.findIndex(({ uuid }) => uuid === activeUuid);
  const scrolledTo = useRef<string>(undefined);
  // Scroll to a row that is opened, once it is there, but not when a new message moves the open row.
  useEffect(() => {
    if (activeIndex === -1) {
      scrolledTo.current = undefined;
    } else if (scrolledTo.current !== activeUuid) {
      scrolledTo.current = activeUuid;
      // before it is painted, when the layout is computed anyway
      requestAnimationFrame(() => scrollTo.current(activeIndex));
    }
  }, [activeUuid, activeIndex]);

  const visible = virtual.getVirtualItems();
  const shown = visible.flatMap(({ index: line }) => {
    const item = items[line];
    return item?.kind === "row" && line !== tabbableLine ? [item.index] : [];
  });
  const first = pageOf[shown[0] ?? 0] ?? 1;
  const last = pageOf[shown.at(-1) ?? 0] ?? 1;
  const isStale = hasStalePage(query.data?.pages ?? [], { first, last });
  useLayoutEffect(() => setVisiblePages(list, { first, last }), [list, first, last]);
  const { refetch, dataUpdatedAt } = query;
  useEffect(() => {
    if (isStale) {
      // A running fetch already includes these pages.
      void refetch({ cancelRefetch: false });
    }
  }, [isStale, first, last, refetch, dataUpdatedAt]);

  const queryClient = useQueryClient();
  // Runs when the list is left: the parent sets a key for each list.
  useEffect(() => () => dropDeepPages(queryClient, list), [queryClient, list]);

  // All that was loaded left the list, as after resolving the whole selection, but the server has more.
  const isEmptied = rows.length === 0 && query.hasNextPage && !query.isFetchNextPageError;
  const loadMoreNearEnd = () => {
    const element = scroller.current;
    const isNearEnd = element
      ? element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX
      : isEmptied;
    if (isNearEnd) {
      fetchMore(query);
    }
  };
  // a page that does not fill the screen cannot be scrolled: load the next one
  useBeforePaint(loadMoreNearEnd);

  const onKeyDown = (event: KeyboardEvent) => {
    const ticket = rowUnder(event.target, rows);
    if (ticket && event.key === "Enter") {
      event.preventDefault();
      props.onEnter(ticket, found.get(ticket.id));
    } else if (ticket && event.key === " ") {
      event.preventDefault();
      selection.toggle(ticket.id, event.shiftKey);
    } else {
      focus.handlers.onKeyDown(event);
    }
  };
  const rowProps = {
    width: useWidth(scroller, rows.length > 0),
    showsConnection: props.showsConnection,
    onOpen: useStableCallback(props.onOpen),
    onVerb: useStableCallback(props.onVerb),
    onToggle: useStableCallback(selection.toggle),
    isSelecting: selection.tickets.length > 0,
  };

  if (query.isPending || isEmptied) {
    return <Loading label={t("loading")} />;
  }
  if (query.isError && rows.length === 0) {
    return <ErrorState title={t("failed")} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return rows.length === 0 ? (
    props.empty
  ) : (
    <Scroller
      ref={scroller}
      data-testid="ticket-list"
      onScroll={loadMoreNearEnd}
      onFocus={focus.handlers.onFocus}
      onBlur={focus.handlers.onBlur}
      onKeyDown={onKeyDown}
    >
      <Canvas style={{ height: virtual.getTotalSize() }}>
        {visible.map(({ index: line, start }) => {
          const item = items[line];
          return item?.kind === "head" ? (
            <GroupHead key={item.group} item={item} id={headId(item.group)} start={start} loadedCount={longCount} />
          ) : null;
        })}
        <div role="list" aria-label={t("conversations")}>
          {visible.map(({ index: line, key, start }) => {
            const item = items[line];
            const ticket = item?.kind === "row" ? rows[item.index] : undefined;
            return item?.kind === "row" && ticket ? (
              <PlacedRow
                key={key}
                {...rowProps}
                start={start}
                place={item.index + 1}
                ofPlaces={query.hasNextPage ? Math.max(total, rows.length) : rows.length}
                ticket={ticket}
                found={found.get(ticket.id)}
                isActive={ticket.uuid === activeUuid}
                isTabbable={item.index === tabbableIndex}
                describedBy={isGrouped ? headId(item.index < longCount ? "long" : "now") : undefined}
                isEnterAccepting={list.status === "pending"}
                canAct={canActOn(ticket)}
                isSelected={selection.ids.has(ticket.id)}
              />
            ) : null;
          })}
        </div>
      </Canvas>
      {query.isFetchingNextPage && <SkeletonRow />}
      {query.isFetchNextPageError && <ErrorState error={query.error} onRetry={() => void query.fetchNextPage()} />}
    </Scroller>
  );
}

interface PlacedRowProps extends TicketRowProps {
  /** From the top, in px. */
  readonly start: number;
  /** In the list, from 1. */
  readonly place: number;
  readonly ofPlaces: number;
}

/** A row at its place in the list. */
const PlacedRow = memo(function PlacedRow({ start, place, ofPlaces, ...row }: PlacedRowProps) {
  return (
    <RowPosition
      role="listitem"
      style={{ transform: `translateY(${start}px)` }}
      aria-posinset={place}
      aria-setsize={ofPlaces}
      data-ticket={row.ticket.id}
    >
      <TicketRow {...row} />
    </RowPosition>
  );
});

/** The width of the list in px, without its scroll bar. */
function useWidth(scroller: RefObject<HTMLElement | null>, isShown: boolean): number {
  const [width, setWidth] = useState<number>(size.ticketList);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) {
      return undefined;
    }
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, isShown]);
  return width;
}

/** The ticket whose row has the focus itself, not a button in it. */
function rowUnder(target: EventTarget, rows: readonly Ticket[]): Ticket | undefined {
  const main = target instanceof Element ? target.closest("[data-main]") : null;
  const id = Number(main?.closest<HTMLElement>("[data-ticket]")?.dataset.ticket);
  return rows.find((ticket) => ticket.id === id);
}

function withIndex(indexes: readonly number[], index: number, count: number): number[] {
  return indexes.includes(index) || index >= count ? [...indexes] : [...indexes, index].sort((a, b) => a - b);
}

/** Above a group of rows. The rows name it as their description: a screen reader that jumps from row to row hears it. */
function GroupHead(props: {
  readonly item: Extract<ListItem, { kind: "head" }>;
  readonly id: string;
  readonly start: number;
  readonly loadedCount: number;
}) {
  const t = useMessages(ticketMessages);
  const { group, count } = props.item;
  return (
    <HeadPosition style={{ transform: `translateY(${props.start}px)` }}>
      <h3 id={props.id}>{t(group === "long" ? "waitingLong" : "waitingNow", { minutes: LONG_WAIT_MINUTES })}</h3>
      <span>{count ?? `${props.loadedCount}+`}</span>
    </HeadPosition>
  );
}

function Loading({ label }: { readonly label: string }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: 7 }, (_, index) => (
        <SkeletonRow key={index} />
      ))}
    </div>
  );
}

function SkeletonRow() {
  return (
    <Bones>
      <Skeleton style={{ width: 40, height: 40, borderRadius: "50%" }} />
      <span>
        <Skeleton style={{ width: "45%" }} />
        <Skeleton style={{ width: "80%" }} />
        <Skeleton style={{ width: "60%" }} />
      </span>
    </Bones>
  );
}

const Scroller = styled("div")({
  flex: 1,
  minHeight: 0,
  overflowY: "auto",
  overscrollBehavior: "contain",
  contain: "strict",
});
const Canvas = styled("div")({ position: "relative", width: "100%" });
const RowPosition = styled("div")({
  position: "absolute",
  top: 0,
  left: 0,
  right: 0,
  height: ticketRowHeight,
  // what is under the mouse is looked for in one row, not in all of them
  contain: "strict",
});
/** Height of a group's head, in px. */
const headHeight = 36;
const HeadPosition = styled("div")({
  position: "absolute",
  top: 0,
  left: 0,
  right: 0,
  display: "flex",
  alignItems: "flex-end",
  justifyContent: "space-between",
  height: headHeight,
  padding: "0 16px 7px",
  fontSize: 11,
  color: color.ink2,
  fontVariantNumeric: "tabular-nums",
  "& > h3": { fontSize: 11, fontWeight: 600 },
});
const Bones = styled("div")({
  display: "flex",
  gap: 10,
  height: ticketRowHeight,
  padding: "12px 14px",
  borderBottom: `1px solid ${color.line}`,
  "& > span:last-child": { flex: 1, display: "flex", flexDirection: "column", gap: 8, paddingTop: 2 },
});
