import { styled } from "#web/ui/styled.ts";
import { chatRules } from "@prosa/contract/chats";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { BubbleFrame, RichText } from "#web/features/messages/index.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useInfiniteScroll } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Spinner } from "#web/ui/Button.tsx";
import { ConversationSkeleton, ConversationFrame, ScrollToEndButton } from "#web/ui/conversation.tsx";
import { EmptyState, ErrorState } from "#web/ui/states.tsx";
import { color } from "#web/ui/theme.ts";
import { chatMessagesOptions } from "./chats.api.ts";
import { keepNewestPage } from "./chats.cache.ts";
import { chatMessages } from "./chats.i18n.ts";
import { chatOutbox } from "./chat-outbox.browser.ts";
import type { PendingChatMessage } from "./chat-outbox.ts";
import { buildChatTimeline, type ChatTimelineRow } from "./timeline.ts";

/** A reader within so many px of the end counts as being at the end. */
const endWithinPx = 60;

/**
 * The messages of a chat, newest at the bottom. With `column-reverse` the browser keeps the scroll position relative to the
 * end while older pages are inserted above; they load within 600 px of the top (specification 2 section 9).
 */
export function ChatConversation({ chatId }: { readonly chatId: number }) {
  const t = useMessages(chatMessages);
  const query = useInfiniteQuery(chatMessagesOptions(chatId));
  const { isFetchingNextPage, isFetchNextPageError, hasNextPage, fetchNextPage } = query;
  const rows = useRows(chatId, query.data?.pages);
  const scroller = useRef<HTMLDivElement>(null);
  const end = useScrollEnd(rows, scroller);
  const queryClient = useQueryClient();
  useEffect(() => () => keepNewestPage(queryClient, chatId), [queryClient, chatId]);
  const top = useInfiniteScroll({
    hasMore: hasNextPage,
    isLoading: isFetchingNextPage,
    hasFailed: isFetchNextPageError,
    onMore: () => void fetchNextPage(),
    withinPx: chatRules.olderWithinPx,
  });

  if (query.isPending) {
    return <ConversationSkeleton widths={["45%", "30%", "52%"]} />;
  }
  if (query.isError && rows.length === 0) {
    return <ErrorState title={t("messagesFailed")} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <ConversationFrame>
      <Scroller
        ref={scroller}
        tabIndex={0}
        role="log"
        aria-label={t("messages")}
        data-testid="chat-messages"
        onScroll={end.check}
      >
        <div>
          <div ref={top} aria-hidden style={{ height: 1 }} />
          {isFetchingNextPage && (
            <LoadingOlder role="status" aria-label={t("loadingOlder")}>
              <Spinner />
            </LoadingOlder>
          )}
          {isFetchNextPageError && !isFetchingNextPage && (
            <ErrorState title={t("messagesFailed")} error={query.error} onRetry={() => void fetchNextPage()} />
          )}
          {rows.length === 0 && <EmptyState title={t("noMessages")} text={t("noMessagesText")} />}
          {rows.map((row) => (
            <TimelineRow key={row.key} row={row} />
          ))}
        </div>
      </Scroller>
      {end.isAway && (
        <ScrollToEndButton onClick={end.scrollToEnd}>
          {end.newBelow > 0 ? t("newBelow", { count: end.newBelow }) : t("toEnd")}
        </ScrollToEndButton>
      )}
    </ConversationFrame>
  );
}

function useRows(
  chatId: number,
  pages: readonly { readonly records: Parameters<typeof buildChatTimeline>[0] }[] | undefined,
): readonly ChatTimelineRow[] {
  const { id: userId } = useUser();
  const format = useFormat();
  const pending = chatOutbox.useOf(chatId);
  return useMemo(() => {
    const messages = pages?.toReversed().flatMap(({ records }) => records) ?? [];
    return buildChatTimeline(messages, pending, { userId, dayOf: format.date });
  }, [pages, pending, userId, format]);
}

/** Counts new messages below a reader who is further up; scrolls to the end when the user sends something. */
function useScrollEnd(rows: readonly ChatTimelineRow[], scroller: { readonly current: HTMLDivElement | null }) {
  const [seenKey, setSeenKey] = useState<string>();
  const isAway = seenKey !== undefined;
  const last = rows.at(-1);
  const seen = rows.findIndex(({ key }) => key === seenKey);
  const scrollToEnd = () => scroller.current?.scrollTo({ top: 0 });

  const newest = last?.kind === "pending" ? last.key : undefined;
  useEffect(() => {
    if (newest !== undefined) {
      scroller.current?.scrollTo({ top: 0 });
    }
  }, [newest, scroller]);

  return {
    isAway,
    // A row that is gone, as a pending one that was discarded, does not say what is new.
    newBelow: seen === -1 ? 0 : rows.slice(seen + 1).filter((row) => row.kind === "message" && !row.isOwn).length,
    scrollToEnd,
    check: () => {
      // with column-reverse: 0 at the end, negative above
      const isNowAway = (scroller.current?.scrollTop ?? 0) < -endWithinPx;
      if (isNowAway !== isAway) {
        setSeenKey(isNowAway ? last?.key : undefined);
      }
    },
  };
}

function TimelineRow({ row }: { readonly row: ChatTimelineRow }) {
  const t = useMessages(chatMessages);
  const format = useFormat();
  switch (row.kind) {
    case "day":
      return <Day>{format.day(row.at, { today: t("today"), yesterday: t("yesterday") })}</Day>;
    case "pending":
      return <PendingBubble pending={row.pending} />;
    case "message": {
      const { message, isOwn, isFirst } = row;
      return (
        <BubbleFrame isOwn={isOwn} gap={isFirst ? "above" : undefined} messageId={message.id}>
          {isFirst && !isOwn && <Author>{message.sender.name}</Author>}
          <Text>
            <RichText text={message.message} />
          </Text>
          <Time dateTime={message.createdAt}>{format.time(message.createdAt)}</Time>
        </BubbleFrame>
      );
    }
  }
}

function PendingBubble({ pending }: { readonly pending: PendingChatMessage }) {
  const t = useMessages(chatMessages);
  return (
    <BubbleFrame isOwn gap="above">
      <Text>
        <RichText text={pending.message} />
      </Text>
      {pending.isFailed ? (
        <Failed role="alert">
          {t("notSent")}
          <button type="button" onClick={() => chatOutbox.retry(pending)}>
            {t("retry")}
          </button>
          <button type="button" onClick={() => chatOutbox.discard(pending.clientId)}>
            {t("discard")}
          </button>
        </Failed>
      ) : (
        <Time as="small">{t("sending")}</Time>
      )}
    </BubbleFrame>
  );
}

const Scroller = styled("div")({
  flex: 1,
  minWidth: 0,
  display: "flex",
  flexDirection: "column-reverse",
  overflowY: "auto",
  overscrollBehavior: "contain",
  "&:focus-visible": { outlineOffset: -2 },
  // a single child: column-reverse reverses no rows
  "& > div": { padding: "8px 0 12px" },
});
const LoadingOlder = styled("div")({ display: "flex", justifyContent: "center", padding: 8, color: color.ink2 });
const Day = styled("div")({ padding: "10px 0 6px", textAlign: "center", fontSize: 12, color: color.ink2 });
const Author = styled("b")({
  display: "block",
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
  fontSize: 12,
  fontWeight: 600,
  color: color.ink2,
});
/** Each line in its own direction: Arabic and Hebrew begin at the right. */
const Text = styled("div")({ overflowWrap: "anywhere", whiteSpace: "pre-wrap", unicodeBidi: "plaintext" });
const Time = styled("time")({ display: "block", marginTop: 1, textAlign: "right", fontSize: 11, color: color.ink2 });
const Failed = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  gap: "2px 10px",
  marginTop: 2,
  fontSize: 12,
  color: color.danger,
  "& button": {
    padding: 0,
    border: 0,
    background: "none",
    color: color.ink,
    font: "inherit",
    textDecoration: "underline",
    cursor: "pointer",
  },
});
