import { styled } from "#web/ui/styled.ts";
import { chatRules } from "@prosa/contract/chats";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { RichText } from "#web/features/messages/index.ts";
import { useFormat } from "#web/lib/format.ts";
import { useInfiniteScroll } from "#web/lib/hooks.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { useUser } from "#web/lib/session.ts";
import { Spinner } from "#web/ui/Button.tsx";
import { ConversationBones, ConversationFrame, EndPill } from "#web/ui/conversation.tsx";
import { EmptyState, ErrorState } from "#web/ui/states.tsx";
import { color, media } from "#web/ui/theme.ts";
import { chatMessagesOptions } from "./chats.api.ts";
import { keepNewestPage } from "./chats.cache.ts";
import { chatMessages } from "./chats.i18n.ts";
import { sending } from "./sending.browser.ts";
import type { Unsent } from "./sending.ts";
import { layOutChat, type ChatRow } from "./timeline.ts";

/** A reader this close to the end (px) is at it. */
const endWithin = 60;

/**
 * The messages, the newest at the bottom. They hang from the bottom (`column-reverse`), so the browser itself keeps the end
 * where it is while older pages grow upwards, which come within 600 px of the top (specification 2 section 9).
 */
export function ChatConversation({ chatId }: { readonly chatId: number }) {
  const t = useMessages(chatMessages);
  const query = useInfiniteQuery(chatMessagesOptions(chatId));
  const { isFetchingNextPage, hasNextPage, fetchNextPage } = query;
  const rows = useRows(chatId, query.data?.pages);
  const scroller = useRef<HTMLDivElement>(null);
  const end = useEnd(rows, scroller);
  const queryClient = useQueryClient();
  useEffect(() => () => keepNewestPage(queryClient, chatId), [queryClient, chatId]);
  const top = useInfiniteScroll({
    hasMore: hasNextPage,
    isLoading: isFetchingNextPage,
    onMore: () => void fetchNextPage(),
    withinPx: chatRules.olderWithinPx,
  });

  if (query.isPending) {
    return <ConversationBones widths={["45%", "30%", "52%"]} />;
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
            <Older role="status" aria-label={t("loadingOlder")}>
              <Spinner />
            </Older>
          )}
          {rows.length === 0 && <EmptyState title={t("noMessages")} text={t("noMessagesText")} />}
          {rows.map((row) => (
            <OneRow key={row.key} row={row} />
          ))}
        </div>
      </Scroller>
      {end.isAway && (
        <EndPill onClick={end.go}>{end.newBelow > 0 ? t("newBelow", { count: end.newBelow }) : t("toEnd")}</EndPill>
      )}
    </ConversationFrame>
  );
}

function useRows(
  chatId: number,
  pages: readonly { readonly records: Parameters<typeof layOutChat>[0] }[] | undefined,
): readonly ChatRow[] {
  const { id: userId } = useUser();
  const format = useFormat();
  const unsent = sending.useOf(chatId);
  return useMemo(() => {
    const messages = pages?.toReversed().flatMap(({ records }) => records) ?? [];
    return layOutChat(messages, unsent, { userId, dayOf: format.date });
  }, [pages, unsent, userId, format]);
}

/** Whoever reads further up is not moved by what comes, and told how much it is; whoever writes is taken to what they wrote. */
function useEnd(rows: readonly ChatRow[], scroller: { readonly current: HTMLDivElement | null }) {
  const [seenKey, setSeenKey] = useState<string>();
  const isAway = seenKey !== undefined;
  const last = rows.at(-1);
  const go = () => scroller.current?.scrollTo({ top: 0 });

  const newest = last?.kind === "unsent" ? last.key : undefined;
  useEffect(() => {
    if (newest !== undefined) {
      scroller.current?.scrollTo({ top: 0 });
    }
  }, [newest, scroller]);

  return {
    isAway,
    newBelow: isAway
      ? rows
          .slice(rows.findIndex(({ key }) => key === seenKey) + 1)
          .filter((row) => row.kind === "message" && !row.isOwn).length
      : 0,
    go,
    check: () => {
      // from the bottom: 0 there, negative above
      const isNowAway = (scroller.current?.scrollTop ?? 0) < -endWithin;
      if (isNowAway !== isAway) {
        setSeenKey(isNowAway ? last?.key : undefined);
      }
    },
  };
}

function OneRow({ row }: { readonly row: ChatRow }) {
  const t = useMessages(chatMessages);
  const format = useFormat();
  switch (row.kind) {
    case "day":
      return <Day>{format.day(row.at, { today: t("today"), yesterday: t("yesterday") })}</Day>;
    case "unsent":
      return <UnsentBubble unsent={row.unsent} />;
    case "message": {
      const { message, isOwn, isFirst } = row;
      return (
        <Line data-own={isOwn || undefined} data-first={isFirst || undefined} data-message={message.id}>
          <Bubble data-own={isOwn || undefined}>
            {isFirst && !isOwn && <Author>{message.sender.name}</Author>}
            <Words>
              <RichText text={message.message} />
            </Words>
            <time dateTime={message.createdAt}>{format.time(message.createdAt)}</time>
          </Bubble>
        </Line>
      );
    }
  }
}

function UnsentBubble({ unsent }: { readonly unsent: Unsent }) {
  const t = useMessages(chatMessages);
  return (
    <Line data-own data-first>
      <Bubble data-own>
        <Words>
          <RichText text={unsent.message} />
        </Words>
        {unsent.isFailed ? (
          <Failed role="alert">
            {t("notSent")}
            <button type="button" onClick={() => sending.retry(unsent)}>
              {t("retry")}
            </button>
            <button type="button" onClick={() => sending.discard(unsent.clientId)}>
              {t("discard")}
            </button>
          </Failed>
        ) : (
          <small>{t("sending")}</small>
        )}
      </Bubble>
    </Line>
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
  // one child: hanging from the bottom, its lines in reading order
  "& > div": { padding: "8px 0 12px" },
});
const Older = styled("div")({ display: "flex", justifyContent: "center", padding: 8, color: color.ink2 });
const Day = styled("div")({ padding: "10px 0 6px", textAlign: "center", fontSize: 12, color: color.ink2 });
const Line = styled("div")({
  display: "flex",
  padding: "1px 24px",
  "&[data-own]": { justifyContent: "flex-end" },
  "&[data-first]": { paddingTop: 7 },
  [media.phone]: { paddingLeft: 10, paddingRight: 10 },
});
const Bubble = styled("div")({
  minWidth: 64,
  maxWidth: "min(560px, 82%)",
  padding: "6px 10px 4px",
  borderRadius: 10,
  border: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  fontSize: 14,
  lineHeight: 1.45,
  "&[data-own]": { backgroundColor: color.own, borderColor: color.ownLine },
  "& > time, & > small": { display: "block", marginTop: 1, textAlign: "right", fontSize: 11, color: color.ink2 },
});
const Author = styled("b")({
  display: "block",
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
  fontSize: 12,
  fontWeight: 600,
  color: color.ink2,
});
const Words = styled("div")({ overflowWrap: "anywhere", whiteSpace: "pre-wrap" });
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
