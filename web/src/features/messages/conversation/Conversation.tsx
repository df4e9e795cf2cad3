import { styled } from "#web/ui/styled.ts";
import { messageRules } from "@prosa/contract/messages";
import type { Note } from "@prosa/contract/notes";
import type { Ticket } from "@prosa/contract/tickets";
import { useInfiniteQuery } from "@tanstack/react-query";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { memo, useCallback, useEffect, useMemo, useRef } from "react";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { useAfterPaint, useBeforePaint, useIsPainted } from "#web/lib/browser/useAfterPaint.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Button, Spinner } from "#web/ui/Button.tsx";
import { ConversationSkeleton, ConversationFrame, ScrollToEndButton } from "#web/ui/conversation.tsx";
import { EmptyState, ErrorState } from "#web/ui/states.tsx";
import { color } from "#web/ui/theme.ts";
import type { BubbleVerbs } from "../bubble/index.ts";
import { conversationOptions } from "../messages.api.ts";
import { columnPadding, columnWidth } from "../content-styles.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { Arrivals } from "./Arrivals.tsx";
import { ConversationRow, focusableKinds, rowHeights } from "./ConversationRow.tsx";
import { useNewSince } from "./new-since.ts";
import { useRovingFocus } from "./roving-focus.ts";
import { isAtEnd, useEndAnchor, useNewBelow, usePinToEnd, useScrollToPending } from "./scroll-position.ts";
import { firstRenderOf, observeOffset, useKeepRowSizes } from "./row-sizes.ts";
import { useJumpToMessage } from "./useJumpToMessage.ts";
import { useRows } from "./useRows.ts";

export interface ConversationProps {
  readonly ticket: Ticket;
  readonly canWrite: boolean;
  readonly verbs: Omit<BubbleVerbs, "onJump">;
  /** Notes of the team, shown among the messages (T-21). */
  readonly notes?: readonly Note[] | undefined;
  /** A message to jump to (T-03); a new object jumps again. */
  readonly jumpTarget?: { readonly messageId: number } | undefined;
}

interface ShownProps {
  /** Not while it is kept behind another one (see KeptConversations). */
  readonly isShown: boolean;
  /** Another number at each opening. */
  readonly visit: number;
}

/** A reader within so many px of the end counts as being at the end. */
const endWithinPx = 60;
/** Beyond the first screenful before it is painted: rows may be less high than estimated. */
const firstOverscan = 2;
/** Rows rendered beyond the visible ones: far below 200 nodes even when all bubbles are short. */
const overscan = 8;

function withRow(shown: number[], index: number): number[] {
  return index === -1 || shown.includes(index) ? shown : [...shown, index].sort((a, b) => a - b);
}

/**
 * The conversation, newest at the bottom. The list is virtualized: only rows near the visible part are in the DOM. Older
 * pages are loaded within 50 px of the top and do not move what is being read (M-01).
 */
export const Conversation = memo(function Conversation(props: ConversationProps & ShownProps) {
  const { ticket, canWrite, verbs, notes, jumpTarget, isShown, visit } = props;
  const t = useMessages(conversationMessages);
  const fetchTarget = useRef<number>(undefined);
  const isPaintedVisit = useAfterPaint(visit, visit) === visit;
  const query = useInfiniteQuery({
    ...conversationOptions(ticket.id, () => fetchTarget.current),
    // what it has is painted first: the fetch of what is new begins with the subscription
    subscribed: isShown && isPaintedVisit,
  });
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = query;
  // never instead of the fetch of the newest page at the opening, which brings what has changed since
  const fetchNextPage = () => query.fetchNextPage({ cancelRefetch: false });
  const user = useUser();
  const messages = useMemo(() => query.data?.pages.flatMap((page) => page.messages), [query.data]);
  const isCurrent = isPaintedVisit && !query.isFetching;
  const newSince = useNewSince(visit, ticket, user.id, {
    messages,
    page: query.data?.pages[0],
    updatedAt: query.dataUpdatedAt,
    isCurrent,
  });
  const rows = useRows(ticket.id, query.data?.pages, hasNextPage, notes, newSince);
  const scroller = useRef<HTMLDivElement>(null);
  const [highlightedId, setHighlighted] = useStateOf<number | undefined>(visit, undefined);
  const focusedIndex = useRef(-1);
  const isPainted = useIsPainted();

  const virtual = useVirtualizer<HTMLDivElement, Element>({
    ...firstRenderOf(ticket.id),
    observeElementOffset: observeOffset,
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rowHeights[rows[index]?.kind ?? "day"],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: isPainted ? overscan : firstOverscan,
    // the row with the focus stays while the reader scrolls away
    rangeExtractor: (range) =>
      // the row may be gone since, as a pending message that was sent
      withRow(defaultRangeExtractor(range), focusedIndex.current < range.count ? focusedIndex.current : -1),
    // anchored at the end: older pages grow upwards, and a reader at the end follows new messages
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: endWithinPx,
    paddingStart: 12,
    paddingEnd: 8,
  });

  useKeepRowSizes(ticket.id, virtual);
  const height = virtual.getTotalSize();
  const toEnd = useCallback(() => virtual.scrollToEnd({ behavior: "auto" }), [virtual]);
  const pin = usePinToEnd(visit, height, toEnd);
  const anchorEnd = useEndAnchor(endWithinPx, toEnd, pin.isPinned);
  const setScroller = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element;
      return anchorEnd(element);
    },
    [anchorEnd],
  );
  const { isAwayFromEnd, newBelow, checkEnd } = useNewBelow(visit, rows, height, () =>
    isAtEnd(scroller.current, endWithinPx),
  );

  useScrollToPending(rows.findLast(({ kind }) => kind === "pending")?.key, () => {
    pin.pin();
    toEnd();
  });

  const loadOlder = () => {
    const element = scroller.current;
    const isNearTop = isShown && element !== null && element.scrollTop < messageRules.olderWithinPx;
    // A page that failed is fetched again by the button of its error.
    if (isNearTop && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) {
      void fetchNextPage();
    }
  };
  const onScroll = () => {
    loadOlder();
    checkEnd();
    if (isAtEnd(scroller.current, 8)) {
      pin.pin();
    }
  };
  // a first page that does not fill the screen cannot be scrolled: load the next one
  useBeforePaint(loadOlder);

  const focusable = useMemo(() => rows.filter(({ kind }) => focusableKinds.has(kind)).map(({ key }) => key), [rows]);
  const focus = useRovingFocus({
    visit,
    scroller,
    keys: focusable,
    scrollToRow: (key) =>
      virtual.scrollToIndex(
        rows.findIndex((row) => row.key === key),
        { align: "auto" },
      ),
    onBeginning: () => scroller.current?.scrollTo({ top: 0 }),
  });
  const jump = useJumpToMessage({
    visit: isShown ? visit : 0,
    rows,
    hasNextPage,
    fetchNextPage,
    setTarget: (id) => (fetchTarget.current = id),
    scrollTo: (index) => {
      pin.unpin();
      virtual.scrollToIndex(index, { align: "center" });
      focus.choose(rows[index]?.key);
    },
    setHighlighted,
  });
  useEffect(() => {
    focusedIndex.current = rows.findIndex(({ key }) => key === focus.active);
  });
  const onJump = useStableCallback(jump);
  const bubbleVerbs = useMemo(() => ({ ...verbs, onJump }), [verbs, onJump]);
  const isLoaded = query.isSuccess;
  useEffect(() => {
    if (isShown && jumpTarget && isLoaded) {
      jump(jumpTarget.messageId);
    }
  }, [isShown, jumpTarget, isLoaded, jump]);

  if (query.isPending) {
    return <ConversationSkeleton widths={["55%", "38%", "62%", "30%", "48%"]} />;
  }
  if (query.isError && rows.length === 0) {
    return <ErrorState title={t("failed")} error={query.error} onRetry={() => void query.refetch()} />;
  }

  return (
    <ConversationFrame>
      <span ref={focus.before} tabIndex={-1} />
      <Scroller
        ref={setScroller}
        onScroll={onScroll}
        onWheel={pin.unpin}
        onTouchMove={pin.unpin}
        onPointerDown={pin.unpin}
        onKeyDown={(event) => {
          pin.unpin();
          focus.onKeyDown(event);
        }}
        onFocus={focus.onFocus}
        tabIndex={focusable.length === 0 ? 0 : -1}
        {...(isShown && {
          role: "log",
          "aria-live": "off",
          "aria-label": t("conversation"),
          "data-testid": "conversation",
        })}
      >
        {rows.length === 0 && <EmptyState title={t("empty")} text={t("emptyText")} />}
        {isFetchingNextPage && (
          <LoadingOlder role="status" aria-label={t("loadingOlder")}>
            <Spinner />
          </LoadingOlder>
        )}
        <Canvas style={{ height }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return row ? (
              <ConversationRow
                key={key}
                ref={virtual.measureElement}
                index={index}
                start={start}
                row={row}
                isTabStop={row.key === focus.active}
                isGroup={ticket.isGroup}
                canWrite={canWrite}
                highlightedId={highlightedId}
                verbs={bubbleVerbs}
              />
            ) : null;
          })}
        </Canvas>
      </Scroller>
      <span ref={focus.after} tabIndex={-1} />
      {isShown && <Arrivals visit={visit} messages={query.data?.pages[0]?.messages} isCurrent={isCurrent} />}
      {isFetchNextPageError && !isFetchingNextPage && (
        <OlderFailed role="alert">
          {t("olderFailed")}
          <Button onClick={() => void fetchNextPage()}>{t("retry")}</Button>
        </OlderFailed>
      )}
      {isAwayFromEnd && (
        <ScrollToEndButton onClick={toEnd}>
          {newBelow > 0 ? t("newBelow", { count: newBelow }) : t("toEnd")}
        </ScrollToEndButton>
      )}
    </ConversationFrame>
  );
});

const Scroller = styled("div")({
  flex: 1,
  display: "flex",
  flexDirection: "column",
  overflowY: "auto",
  overscrollBehavior: "contain",
  // no scroll anchoring by the browser: together with ours it would correct twice
  overflowAnchor: "none",
  "&:focus-visible": { outlineOffset: -2 },
});
const Canvas = styled("div")({
  position: "relative",
  flex: "none",
  width: "100%",
  maxWidth: columnWidth + 2 * columnPadding,
  // the column in the middle; a short conversation at the bottom, beside the composer
  margin: "auto auto 0",
});
const LoadingOlder = styled("div")({ position: "absolute", top: 8, left: "50%", zIndex: 2, color: color.ink2 });
/** Over the messages: in the scroller it would move what is being read. */
const OlderFailed = styled("div")({
  position: "absolute",
  top: 8,
  left: 0,
  right: 0,
  zIndex: 2,
  display: "flex",
  alignItems: "center",
  gap: 12,
  flexWrap: "wrap",
  width: "fit-content",
  maxWidth: "calc(100% - 24px)",
  margin: "0 auto",
  padding: "8px 8px 8px 14px",
  border: `1px solid ${color.line}`,
  borderRadius: 10,
  backgroundColor: color.raised,
  boxShadow: color.shadow,
  color: color.danger,
  fontSize: 13,
});
