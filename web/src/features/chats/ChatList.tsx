import { styled } from "#web/ui/styled.ts";
import type { Chat } from "@prosa/contract/chats";
import { useInfiniteQuery } from "@tanstack/react-query";
import { MessageSquare, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useInfiniteScroll, useSearch } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { stripFormatting } from "#web/lib/text/plain-text.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Badge } from "#web/ui/Chip.tsx";
import { SearchField } from "#web/ui/ListScreen.tsx";
import { EmptyState, ErrorState, ProgressBar, Skeleton } from "#web/ui/states.tsx";
import { color } from "#web/ui/theme.ts";
import { chatListOptions } from "./chats.api.ts";
import { unreadOf } from "./chats.cache.ts";
import { chatMessages } from "./chats.i18n.ts";

export interface ChatListProps {
  readonly activeUuid: string | undefined;
  readonly onOpen: (chat: Chat) => void;
  readonly onAdd: () => void;
}

/** The chats of the signed-in user, latest first, with their unread counts (O-06). */
export function ChatList({ activeUuid, onOpen, onAdd }: ChatListProps) {
  const t = useMessages(chatMessages);
  const search = useSearch();
  const query = useInfiniteQuery(chatListOptions({ searchParam: search.asked, withUnread: false }));
  const rows = uniqueById(query.data?.pages.flatMap(({ records }) => records) ?? []);
  const end = useInfiniteScroll({
    hasMore: query.hasNextPage,
    isLoading: query.isFetchingNextPage,
    hasFailed: query.isFetchNextPageError,
    onMore: () => void query.fetchNextPage(),
  });

  let content: ReactNode;
  if (query.isPending) {
    content = <ChatListSkeleton />;
  } else if (query.isError && rows.length === 0) {
    content = <ErrorState title={t("failed")} error={query.error} onRetry={() => void query.refetch()} />;
  } else if (rows.length === 0) {
    content = search.asked ? (
      <EmptyState icon={<SearchX />} title={t("nothing")} text={t("nothingText", { text: search.asked })} />
    ) : (
      <EmptyState
        icon={<MessageSquare />}
        title={t("empty")}
        text={t("emptyText")}
        action={
          <Button kind="primary" onClick={onAdd}>
            {t("addLong")}
          </Button>
        }
      />
    );
  } else {
    content = (
      <List aria-label={t("list")}>
        {rows.map((chat) => (
          <li key={chat.id}>
            <ChatRow chat={chat} isActive={chat.uuid === activeUuid} onOpen={() => onOpen(chat)} />
          </li>
        ))}
        <li ref={end} aria-hidden style={{ height: 1 }} />
      </List>
    );
  }

  return (
    <>
      <Head>
        <h1>{t("title")}</h1>
        <Button kind="primary" aria-label={t("addLong")} onClick={onAdd}>
          {t("add")}
        </Button>
      </Head>
      <SearchBar>
        <SearchField {...search} placeholder={t("search")} />
      </SearchBar>
      <Scroller>
        {content}
        {query.isFetchingNextPage ? (
          <ProgressBar label={t("list")} />
        ) : (
          query.isFetchNextPageError && <ErrorState error={query.error} onRetry={() => void query.fetchNextPage()} />
        )}
      </Scroller>
    </>
  );
}

/** One chat in the list and in the bell: title, last message, time, unread count. */
export function ChatRow(props: { readonly chat: Chat; readonly isActive?: boolean; readonly onOpen: () => void }) {
  const { chat, isActive = false, onOpen } = props;
  const t = useMessages(chatMessages);
  const format = useFormat();
  const { id } = useUser();
  const unread = unreadOf(chat, id);
  return (
    <Row type="button" data-active={isActive || undefined} aria-current={isActive || undefined} onClick={onOpen}>
      <Avatar name={chat.title} size={36} />
      <Text>
        <Line>
          <Title title={chat.title}>{chat.title}</Title>
          <Time>{format.listTime(chat.updatedAt)}</Time>
        </Line>
        <Line>
          <Preview data-unread={unread > 0 || undefined}>
            {stripFormatting(chat.lastMessage) || memberNames(chat, id, t("you"))}
          </Preview>
          <Badge value={unread} label={t("unread", { count: unread })} />
        </Line>
      </Text>
    </Row>
  );
}

/** The members of a chat: "Danilo, Paula, você". */
export function memberNames(chat: Chat, userId: number, you: string): string {
  return [
    ...chat.users.filter((member) => member.userId !== userId).map(({ user }) => user.name),
    ...(chat.users.some((member) => member.userId === userId) ? [you] : []),
  ].join(", ");
}

/** A chat that moved up while a further page was fetched is in both pages. */
function uniqueById(chats: readonly Chat[]): readonly Chat[] {
  return [...new Map(chats.toReversed().map((chat) => [chat.id, chat])).values()].toReversed();
}

function ChatListSkeleton() {
  return (
    <div aria-hidden>
      {["70%", "45%", "60%", "52%"].map((width) => (
        <Bone key={width}>
          <Skeleton style={{ flex: "none", width: 36, height: 36, borderRadius: "50%" }} />
          <Skeleton style={{ width }} />
        </Bone>
      ))}
    </div>
  );
}

const ellipsis = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;

const Head = styled("header")({
  flex: "none",
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  gap: 8,
  minHeight: 59,
  padding: "8px 12px 8px 16px",
  borderBottom: `1px solid ${color.line}`,
  "& h1": { fontSize: 16, fontWeight: 600, ...ellipsis },
});
const SearchBar = styled("div")({ flex: "none", padding: "10px 12px", "& > div": { width: "100%" } });
const Scroller = styled("div")({ flex: 1, minHeight: 0, overflowY: "auto" });
const List = styled("ul")({ margin: 0, padding: 0, listStyle: "none" });
const Row = styled("button")({
  display: "flex",
  alignItems: "center",
  gap: 10,
  width: "100%",
  minHeight: 58,
  padding: "8px 12px",
  border: 0,
  borderBottom: `1px solid ${color.line}`,
  background: "none",
  color: "inherit",
  font: "inherit",
  textAlign: "left",
  cursor: "pointer",
  "&:hover": { backgroundColor: color.hover },
  "&[data-active]": { backgroundColor: color.accentSoft },
  "&:focus-visible": { outlineOffset: -2 },
});
const Text = styled("span")({ flex: 1, minWidth: 0, display: "flex", flexDirection: "column", gap: 3 });
const Line = styled("span")({ display: "flex", alignItems: "center", gap: 8, minWidth: 0 });
const Title = styled("span")({ flex: 1, fontWeight: 600, fontSize: 14, ...ellipsis });
const Time = styled("span")({ flex: "none", fontSize: 12, color: color.ink2 });
const Preview = styled("span")({
  flex: 1,
  fontSize: 13,
  color: color.ink2,
  ...ellipsis,
  "&[data-unread]": { color: color.ink, fontWeight: 500 },
});
const Bone = styled("div")({ display: "flex", alignItems: "center", gap: 10, minHeight: 58, padding: "8px 12px" });
