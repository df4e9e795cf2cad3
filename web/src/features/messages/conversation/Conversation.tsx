import { styled } from "#web/ui/styled.ts";
import { messageRules, type Message } from "@prosa/contract/messages";
import type { Note } from "@prosa/contract/notes";
import type { Ticket } from "@prosa/contract/tickets";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Spinner } from "#web/ui/Button.tsx";
import { ConversationSkeleton, ConversationFrame, ScrollToEndButton } from "#web/ui/conversation.tsx";
import { EmptyState, ErrorState, Skeleton } from "#web/ui/states.tsx";
import { color } from "#web/ui/theme.ts";
import { LazyAlbumBubble, MessageBubble, NoteBubble, type BubbleVerbs } from "../bubble/index.ts";
import { conversationOptions } from "../messages.api.ts";
import { columnPadding, columnWidth } from "../content-styles.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { PendingMessageBubble, useOutbox, type OutboxEntry } from "../outbox/index.ts";
import { isAtEnd, useEndAnchor, useNewBelow, usePinToEnd, useScrollToPending } from "./scroll-position.ts";
import { buildTimeline, isOwnBy, messagesOf, type TimelineRow } from "./timeline.ts";
import { useJumpToMessage } from "./useJumpToMessage.ts";

export interface ConversationProps {
  readonly ticket: Ticket;
  readonly canWrite: boolean;
  /** Shows the messages without marking them as read (T-07). */
  readonly isPeek?: boolean;
  readonly verbs: Omit<BubbleVerbs, "onJump">;
  /** Notes of the team, shown among the messages (T-21). */
  readonly notes?: readonly Note[] | undefined;
  /** A message to jump to (T-03); a new object jumps again. */
  readonly jumpTarget?: { readonly messageId: number } | undefined;
}

type Row =
  | TimelineRow
  | {
      readonly kind: "pending";
      readonly key: string;
      readonly entry: OutboxEntry;
      readonly author: string | undefined;
    };

/** A reader within so many px of the end counts as being at the end. */
const endWithinPx = 60;
/** Estimated heights of rows that were not measured yet (px). */
const estimates = { message: 58, pending: 58, album: 340, note: 34, day: 34, started: 34, ended: 34 } as const;
/** Rows rendered beyond the visible ones: far below 200 nodes even when all bubbles are short. */
const overscan = 12;

/**
 * The conversation, newest at the bottom. The list is virtualized: only rows near the visible part are in the DOM. Older
 * pages are loaded within 50 px of the top and do not move what is being read (M-01).
 */
export function Conversation({ ticket, canWrite, isPeek = false, verbs, notes, jumpTarget }: ConversationProps) {
  const t = useMessages(conversationMessages);
  const fetchTarget = useRef<number>(undefined);
  const query = useInfiniteQuery(conversationOptions(ticket.id, isPeek, () => fetchTarget.current));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const rows = useRows(ticket.id, query.data?.pages, hasNextPage, notes);
  const scroller = useRef<HTMLDivElement>(null);
  const [highlightedId, setHighlighted] = useState<number>();

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimates[rows[index]?.kind ?? "day"],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan,
    // anchored at the end: older pages grow upwards, and a reader at the end follows new messages
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: endWithinPx,
    paddingStart: 12,
    paddingEnd: 8,
  });

  const height = virtual.getTotalSize();
  const toEnd = useCallback(() => virtual.scrollToEnd({ behavior: "auto" }), [virtual]);
  const pin = usePinToEnd(height, toEnd);
  const anchorEnd = useEndAnchor(endWithinPx, toEnd, pin.isPinned);
  const setScroller = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element;
      return anchorEnd(element);
    },
    [anchorEnd],
  );
  const { isAwayFromEnd, newBelow, checkEnd } = useNewBelow(rows, height, () => isAtEnd(scroller.current, endWithinPx));

  useScrollToPending(rows.findLast(({ kind }) => kind === "pending")?.key, () => {
    pin.pin();
    toEnd();
  });

  const loadOlder = () => {
    const element = scroller.current;
    if (element && element.scrollTop < messageRules.olderWithinPx && hasNextPage && !isFetchingNextPage) {
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
  useEffect(loadOlder);

  const jump = useJumpToMessage({
    rows,
    hasNextPage,
    fetchNextPage,
    setTarget: (id) => (fetchTarget.current = id),
    scrollTo: (index) => {
      pin.unpin();
      virtual.scrollToIndex(index, { align: "center" });
    },
    setHighlighted,
  });
  const bubbleVerbs = useMemo(() => ({ ...verbs, onJump: jump }), [verbs, jump]);
  const isLoaded = query.isSuccess;
  useEffect(() => {
    if (jumpTarget && isLoaded) {
      jump(jumpTarget.messageId);
    }
  }, [jumpTarget, isLoaded, jump]);

  if (query.isPending) {
    return <ConversationSkeleton widths={["55%", "38%", "62%", "30%", "48%"]} />;
  }
  if (query.isError && rows.length === 0) {
    return <ErrorState title={t("failed")} error={query.error} onRetry={() => void query.refetch()} />;
  }

  return (
    <ConversationFrame>
      <Scroller
        ref={setScroller}
        onScroll={onScroll}
        onWheel={pin.unpin}
        onTouchMove={pin.unpin}
        onPointerDown={pin.unpin}
        onKeyDown={pin.unpin}
        tabIndex={0}
        role="log"
        aria-label={t("conversation")}
        data-testid="conversation"
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
              <RowPosition
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                style={{ transform: `translateY(${start}px)` }}
              >
                {row.kind === "message" ? (
                  <MessageBubble
                    message={row.message}
                    isFirst={row.isFirst}
                    isLast={row.isLast}
                    hasAuthor={row.hasAuthor}
                    isGroup={ticket.isGroup}
                    isHighlighted={row.message.id === highlightedId}
                    canWrite={canWrite}
                    verbs={bubbleVerbs}
                  />
                ) : row.kind === "album" ? (
                  <Suspense fallback={<Skeleton style={{ width: 320, height: estimates.album }} />}>
                    <LazyAlbumBubble
                      messages={row.messages}
                      isFirst={row.isFirst}
                      isLast={row.isLast}
                      hasAuthor={row.hasAuthor}
                      isGroup={ticket.isGroup}
                      highlightedId={highlightedId}
                      canWrite={canWrite}
                      verbs={bubbleVerbs}
                    />
                  </Suspense>
                ) : (
                  <OtherRow row={row} />
                )}
              </RowPosition>
            ) : null;
          })}
        </Canvas>
      </Scroller>
      {isAwayFromEnd && (
        <ScrollToEndButton onClick={toEnd}>
          {newBelow > 0 ? t("newBelow", { count: newBelow }) : t("toEnd")}
        </ScrollToEndButton>
      )}
    </ConversationFrame>
  );
}

function OtherRow({ row }: { readonly row: Exclude<Row, { kind: "message" | "album" }> }) {
  const t = useMessages(conversationMessages);
  const format = useFormat();
  switch (row.kind) {
    case "pending":
      return <PendingMessageBubble entry={row.entry} author={row.author} />;
    case "note":
      return <NoteBubble note={row.note} />;
    case "day":
      return <Day>{format.day(row.day, { today: t("today"), yesterday: t("yesterday") })}</Day>;
    case "started":
    case "ended":
      return (
        <Marker>
          <span>{t(row.kind, { at: format.dateTime(row.at) })}</span>
        </Marker>
      );
  }
}

/** The stored messages with markers and notes, and at the end the pending messages of the outbox. */
function useRows(
  ticketId: number,
  pages:
    | readonly {
        readonly messages: readonly Message[];
        readonly episodes: readonly Parameters<typeof buildTimeline>[1][number][];
      }[]
    | undefined,
  hasOlder: boolean,
  notes: readonly Note[] | undefined,
): readonly Row[] {
  const format = useFormat();
  const user = useUser();
  const outboxEntries = useOutbox(ticketId);
  const timeline = useMemo(() => {
    const messages = pages?.flatMap((page) => page.messages) ?? [];
    const episodes = new Map(pages?.flatMap((page) => page.episodes.map((episode) => [episode.id, episode] as const)));
    return buildTimeline(messages, [...episodes.values()], {
      dayOf: format.date,
      hasOlder,
      ...(notes && { notes }),
    });
  }, [pages, hasOlder, notes, format]);

  return useMemo(() => {
    const stored = new Set(timeline.flatMap((row) => [row.key, ...messagesOf(row).map(({ clientId }) => clientId)]));
    const pending = outboxEntries.filter((entry) => !stored.has(entry.clientId));
    const last = timeline.at(-1);
    const author = last && messagesOf(last).some((message) => isOwnBy(message, user.id)) ? undefined : user.name;
    return [
      ...timeline,
      ...pending.map((entry, index) => ({
        kind: "pending" as const,
        key: entry.clientId,
        entry,
        author: index === 0 ? author : undefined,
      })),
    ];
  }, [timeline, outboxEntries, user]);
}

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
const RowPosition = styled("div")({
  position: "absolute",
  top: 0,
  left: 0,
  width: "100%",
  "&:hover, &:focus-within": { zIndex: 1 },
});
const LoadingOlder = styled("div")({ position: "absolute", top: 8, left: "50%", zIndex: 2, color: color.ink2 });

const Day = styled("div")({ padding: "8px 0 6px", textAlign: "center", fontSize: 12, color: color.ink2 });
const Marker = styled("div")({
  display: "flex",
  justifyContent: "center",
  padding: "4px 12px 8px",
  "& span": { padding: "3px 12px", borderRadius: 12, backgroundColor: color.chip, fontSize: 12, color: color.ink2 },
});
