import { styled } from "#web/ui/styled.ts";
import { messageRules, type Message } from "@prosa/contract/messages";
import type { Note } from "@prosa/contract/notes";
import type { Ticket } from "@prosa/contract/tickets";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useFormat } from "#web/lib/format.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { Spinner } from "#web/ui/Button.tsx";
import { ConversationBones, ConversationFrame, EndPill } from "#web/ui/conversation.tsx";
import { EmptyState, ErrorState, Skeleton } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { color } from "#web/ui/theme.ts";
import { Bubble, type BubbleVerbs } from "./Bubble.tsx";
import { EchoBubble } from "./EchoBubble.tsx";
import { NoteBubble } from "./NoteBubble.tsx";
import { conversationOptions } from "./messages.api.ts";
import { conversationMessages } from "./messages.i18n.ts";
import { useOutbox } from "./outbox.browser.ts";
import type { OutboxEntry } from "./outbox.ts";
import { isAtEnd, useGoToOwn, useKeepEnd, useNewBelow, useStayAtEnd } from "./reading-place.ts";
import { layOut, messagesOf, type TimelineRow } from "./timeline.ts";

const AlbumBubble = lazy(async () => ({ default: (await import("./AlbumBubble.tsx")).AlbumBubble }));

export interface ConversationProps {
  readonly ticket: Ticket;
  readonly canWrite: boolean;
  /** Reads without marking as read (T-07). */
  readonly isPeek?: boolean;
  readonly verbs: Omit<BubbleVerbs, "onJump">;
  /** What the team noted, shown among the messages (T-21). */
  readonly notes?: readonly Note[] | undefined;
  /** A message to go to (T-03); another object goes there again. */
  readonly goal?: { readonly messageId: number } | undefined;
}

type Row = TimelineRow | { readonly kind: "echo"; readonly key: string; readonly entry: OutboxEntry };

/** How long a message that was jumped to stays lit (ms), and how many pages a jump may load. */
const litMs = 1_600;
const jumpPages = 50;
/** A reader this close to the end (px) is at it. */
const endWithin = 60;
/** Heights of rows that were not drawn yet (px). */
const estimates = { message: 58, echo: 58, album: 340, note: 34, day: 34, started: 34, ended: 34 } as const;
/** Rows beyond the edges of the screen: with a screen of short bubbles still far below 200 nodes. */
const overscan = 12;

/**
 * The conversation, newest at the bottom. Only what is near the screen is in the page, so its length does not matter; older pages come
 * within 50 px of the top and do not move what is being read (M-01).
 */
export function Conversation({ ticket, canWrite, isPeek = false, verbs, notes, goal }: ConversationProps) {
  const t = useMessages(conversationMessages);
  const jumpGoal = useRef<number>(undefined);
  const query = useInfiniteQuery(conversationOptions(ticket.id, isPeek, () => jumpGoal.current));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const rows = useRows(ticket.id, query.data?.pages, hasNextPage, notes);
  const scroller = useRef<HTMLDivElement>(null);
  const [lit, setLit] = useState<number>();

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimates[rows[index]?.kind ?? "day"],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan,
    // the end is what stays in place: older pages grow upwards, and a reader at the end follows what comes
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: endWithin,
    paddingStart: 12,
    paddingEnd: 8,
  });

  const height = virtual.getTotalSize();
  const toEnd = useCallback(() => virtual.scrollToEnd({ behavior: "auto" }), [virtual]);
  const stay = useStayAtEnd(height, toEnd);
  const keepEnd = useKeepEnd(endWithin, toEnd, stay.isHeld);
  const takeScroller = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element;
      return keepEnd(element);
    },
    [keepEnd],
  );
  const { isAwayFromEnd, newBelow, checkEnd } = useNewBelow(rows, height, () => isAtEnd(scroller.current, endWithin));

  useGoToOwn(rows.findLast(({ kind }) => kind === "echo")?.key, () => {
    stay.hold();
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
      stay.hold();
    }
  };
  // a first page that does not fill the screen has nothing to scroll
  useEffect(loadOlder);

  const jump = useJump({
    rows,
    hasNextPage,
    fetchNextPage,
    aim: (id) => (jumpGoal.current = id),
    scrollTo: (index) => {
      stay.letGo();
      virtual.scrollToIndex(index, { align: "center" });
    },
    setLit,
  });
  const bubbleVerbs = useMemo(() => ({ ...verbs, onJump: jump }), [verbs, jump]);
  const isLoaded = query.isSuccess;
  useEffect(() => {
    if (goal && isLoaded) {
      jump(goal.messageId);
    }
  }, [goal, isLoaded, jump]);

  if (query.isPending) {
    return <ConversationBones widths={["55%", "38%", "62%", "30%", "48%"]} />;
  }
  if (query.isError && rows.length === 0) {
    return <ErrorState title={t("failed")} error={query.error} onRetry={() => void query.refetch()} />;
  }

  return (
    <ConversationFrame>
      <Scroller
        ref={takeScroller}
        onScroll={onScroll}
        onWheel={stay.letGo}
        onTouchMove={stay.letGo}
        onPointerDown={stay.letGo}
        onKeyDown={stay.letGo}
        tabIndex={0}
        role="log"
        aria-label={t("conversation")}
        data-testid="conversation"
      >
        {rows.length === 0 && <EmptyState title={t("empty")} text={t("emptyText")} />}
        {isFetchingNextPage && (
          <Older role="status" aria-label={t("loadingOlder")}>
            <Spinner />
          </Older>
        )}
        <Canvas style={{ height }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return row ? (
              <Place
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                style={{ transform: `translateY(${start}px)` }}
              >
                {row.kind === "message" ? (
                  <Bubble
                    message={row.message}
                    isFirst={row.isFirst}
                    isLast={row.isLast}
                    isGroup={ticket.isGroup}
                    isLit={row.message.id === lit}
                    canWrite={canWrite}
                    verbs={bubbleVerbs}
                  />
                ) : row.kind === "album" ? (
                  <Suspense fallback={<Skeleton style={{ width: 320, height: estimates.album }} />}>
                    <AlbumBubble
                      messages={row.messages}
                      isFirst={row.isFirst}
                      isLast={row.isLast}
                      isGroup={ticket.isGroup}
                      lit={lit}
                      canWrite={canWrite}
                      verbs={bubbleVerbs}
                    />
                  </Suspense>
                ) : (
                  <OtherRow row={row} />
                )}
              </Place>
            ) : null;
          })}
        </Canvas>
      </Scroller>
      {isAwayFromEnd && (
        <EndPill onClick={toEnd}>{newBelow > 0 ? t("newBelow", { count: newBelow }) : t("toEnd")}</EndPill>
      )}
    </ConversationFrame>
  );
}

function OtherRow({ row }: { readonly row: Exclude<Row, { kind: "message" | "album" }> }) {
  const t = useMessages(conversationMessages);
  const format = useFormat();
  switch (row.kind) {
    case "echo":
      return <EchoBubble entry={row.entry} />;
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

function useRows(
  ticketId: number,
  pages:
    | readonly {
        readonly messages: readonly Message[];
        readonly episodes: readonly Parameters<typeof layOut>[1][number][];
      }[]
    | undefined,
  hasOlder: boolean,
  notes: readonly Note[] | undefined,
): readonly Row[] {
  const format = useFormat();
  const waiting = useOutbox(ticketId);
  const timeline = useMemo(() => {
    const messages = pages?.flatMap((page) => page.messages) ?? [];
    const episodes = new Map(pages?.flatMap((page) => page.episodes.map((episode) => [episode.id, episode] as const)));
    return layOut(messages, [...episodes.values()], {
      dayOf: format.date,
      hasOlder,
      ...(notes && { notes }),
    });
  }, [pages, hasOlder, notes, format]);

  return useMemo(() => {
    const stored = new Set(timeline.flatMap((row) => [row.key, ...messagesOf(row).map(({ clientId }) => clientId)]));
    const echoes = waiting.filter((entry) => !stored.has(entry.clientId));
    return [...timeline, ...echoes.map((entry) => ({ kind: "echo" as const, key: entry.clientId, entry }))];
  }, [timeline, waiting]);
}

/** Goes to a message that was quoted or found, loading older pages until it is there. */
function useJump(parts: {
  readonly rows: readonly Row[];
  readonly hasNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
  /** Tells the fetching what is looked for. */
  readonly aim: (messageId: number | undefined) => void;
  readonly scrollTo: (index: number) => void;
  readonly setLit: (messageId: number | undefined) => void;
}) {
  const t = useMessages(conversationMessages);
  const [wanted, setWanted] = useState<{ readonly id: number; readonly pages: number }>();
  const latest = useRef(parts);
  useEffect(() => {
    latest.current = parts;
  });

  useEffect(() => {
    if (!wanted) {
      return;
    }
    const { rows, hasNextPage, fetchNextPage, aim, scrollTo, setLit } = latest.current;
    aim(wanted.id);
    const index = rows.findIndex((row) => messagesOf(row).some(({ id }) => id === wanted.id));
    if (index !== -1) {
      aim(undefined);
      scrollTo(index);
      setLit(wanted.id);
      setWanted(undefined);
      setTimeout(() => setLit(undefined), litMs);
    } else if (hasNextPage && wanted.pages < jumpPages) {
      void fetchNextPage().then(() => setWanted({ id: wanted.id, pages: wanted.pages + 1 }));
    } else {
      aim(undefined);
      setWanted(undefined);
      toast.info(t("notLoaded"));
    }
  }, [wanted, t]);

  return useCallback((id: number) => setWanted({ id, pages: 0 }), []);
}

const Scroller = styled("div")({
  flex: 1,
  overflowY: "auto",
  overscrollBehavior: "contain",
  // ours, not the browser's: two anchors would move twice
  overflowAnchor: "none",
  "&:focus-visible": { outlineOffset: -2 },
});
const Canvas = styled("div")({ position: "relative", width: "100%" });
const Place = styled("div")({
  position: "absolute",
  top: 0,
  left: 0,
  width: "100%",
  "&:hover, &:focus-within": { zIndex: 1 },
});
const Older = styled("div")({ position: "absolute", top: 8, left: "50%", zIndex: 2, color: color.ink2 });

const Day = styled("div")({ padding: "8px 0 6px", textAlign: "center", fontSize: 12, color: color.ink2 });
const Marker = styled("div")({
  display: "flex",
  justifyContent: "center",
  padding: "4px 12px 8px",
  "& span": { padding: "3px 12px", borderRadius: 12, backgroundColor: color.chip, fontSize: 12, color: color.ink2 },
});
