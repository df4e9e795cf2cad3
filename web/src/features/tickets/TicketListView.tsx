import { styled } from "#web/ui/styled.ts";
import type { Ticket } from "@prosa/contract/tickets";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, type ReactNode } from "react";
import { NEAR_END_PX } from "#web/lib/hooks.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { color } from "#web/ui/theme.ts";
import type { Choosing } from "./choosing.ts";
import type { TicketList } from "./ticket-lists.ts";
import { isSightOld, lookAt, rowsOf } from "./ticket-window.ts";
import { TicketRow, ticketRowHeight, type TicketRowProps } from "./TicketRow.tsx";
import { ticketListOptions } from "./tickets.api.ts";
import { forgetDepth } from "./tickets.cache.ts";
import { ticketMessages } from "./tickets.i18n.ts";

export interface TicketListViewProps extends Pick<TicketRowProps, "canPeek" | "onOpen" | "onPeek" | "onVerb"> {
  readonly choosing: Pick<Choosing, "ids" | "tickets" | "choose">;
  readonly list: TicketList;
  /** The conversation that is open, however it was opened. */
  readonly selectedUuid: string | undefined;
  readonly canActOn: (ticket: Ticket) => boolean;
  readonly empty: ReactNode;
  /** The rows as they stand, so that J and K know their neighbours. */
  readonly onRows?: (rows: readonly Ticket[]) => void;
}

/** A list of any length: only the rows in sight are in the page. */
export function TicketListView({ list, selectedUuid, canActOn, choosing, empty, onRows, ...row }: TicketListViewProps) {
  const t = useMessages(ticketMessages);
  const query = useInfiniteQuery(ticketListOptions(list));
  const { rows, pageOf } = useMemo(() => rowsOf(query.data?.pages ?? []), [query.data]);
  const found = useMemo(
    () => new Map(query.data?.pages.flatMap((page) => page.found ?? []).map((each) => [each.ticketId, each])),
    [query.data],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ticketRowHeight,
    // Of one identity as long as the rows are: a new one has every row measured again, at each step of a scroll.
    getItemKey: useCallback((index: number) => rows[index]?.id ?? index, [rows]),
    overscan: 6,
  });

  useEffect(() => onRows?.(rows), [rows, onRows]);

  const { scrollToIndex } = virtual;
  const selectedAt = useRef(-1);
  useEffect(() => {
    selectedAt.current = rows.findIndex(({ uuid }) => uuid === selectedUuid);
  }, [rows, selectedUuid]);
  // J and K lead out of sight; where the row of the open one moves to by itself, nobody is taken along.
  useEffect(() => {
    if (selectedAt.current >= 0) {
      scrollToIndex(selectedAt.current, { align: "auto" });
    }
  }, [selectedUuid, scrollToIndex]);

  const inSight = virtual.getVirtualItems();
  const first = pageOf[inSight[0]?.index ?? 0] ?? 1;
  const last = pageOf[inSight.at(-1)?.index ?? 0] ?? 1;
  const isOld = isSightOld(query.data?.pages ?? [], { first, last });
  useLayoutEffect(() => lookAt(list, { first, last }), [list, first, last]);
  const { refetch, dataUpdatedAt } = query;
  useEffect(() => {
    if (isOld) {
      // One that is on its way already fetches them as well.
      void refetch({ cancelRefetch: false });
    }
  }, [isOld, first, last, refetch, dataUpdatedAt]);

  const queryClient = useQueryClient();
  // The parent gives every list a component of its own.
  useEffect(() => () => forgetDepth(queryClient, list), [queryClient, list]);

  const loadMoreNearEnd = () => {
    const element = scroller.current;
    if (element && query.hasNextPage && !query.isFetchingNextPage) {
      const left = element.scrollHeight - element.scrollTop - element.clientHeight;
      if (left < NEAR_END_PX) {
        void query.fetchNextPage();
      }
    }
  };
  // a page shorter than the screen has no end to scroll to
  useEffect(loadMoreNearEnd);

  if (query.isPending) {
    return <Loading label={t("loading")} />;
  }
  if (query.isError && rows.length === 0) {
    return <ErrorState title={t("failed")} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return rows.length === 0 ? (
    empty
  ) : (
    <Scroller ref={scroller} onScroll={loadMoreNearEnd} data-testid="ticket-list">
      <Canvas role="list" style={{ height: virtual.getTotalSize() }}>
        {inSight.map(({ index, key, start }) => {
          const ticket = rows[index];
          return ticket ? (
            <Place role="listitem" key={key} style={{ transform: `translateY(${start}px)` }} data-ticket={ticket.id}>
              <TicketRow
                {...row}
                ticket={ticket}
                found={found.get(ticket.id)}
                isSelected={ticket.uuid === selectedUuid}
                canAct={canActOn(ticket)}
                isChosen={choosing.ids.has(ticket.id)}
                isChoosing={choosing.tickets.length > 0}
                onChoose={choosing.choose}
              />
            </Place>
          ) : null;
        })}
      </Canvas>
      {query.isFetchingNextPage && <SkeletonRow />}
      {query.isFetchNextPageError && <ErrorState error={query.error} onRetry={() => void query.fetchNextPage()} />}
    </Scroller>
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
const Place = styled("div")({ position: "absolute", top: 0, left: 0, right: 0 });
const Bones = styled("div")({
  display: "flex",
  gap: 10,
  height: ticketRowHeight,
  padding: "12px 14px",
  borderBottom: `1px solid ${color.line}`,
  "& > span:last-child": { flex: 1, display: "flex", flexDirection: "column", gap: 8, paddingTop: 2 },
});
