import type { Chat, ChatMessage } from "@prosa/contract/chats";
import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { keepInvalidated } from "#web/lib/records/keep-invalidated.ts";

export interface ChatPage {
  readonly records: readonly Chat[];
  readonly count: number;
  readonly hasMore: boolean;
}
export type ChatPages = InfiniteData<ChatPage, number>;

/** Oldest first; the first page of the cache is the newest. */
export interface ChatMessagePage {
  readonly records: readonly ChatMessage[];
  readonly count: number;
  readonly hasMore: boolean;
}
export type ChatMessagePages = InfiniteData<ChatMessagePage, number | undefined>;

export interface ChatFilter {
  readonly searchParam: string;
  readonly withUnread: boolean;
}

export const chatKeys = {
  all: ["chats"] as const,
  lists: ["chats", "list"] as const,
  list: (filter: ChatFilter) => ["chats", "list", filter] as const,
  ones: ["chats", "one"] as const,
  one: (uuid: string) => ["chats", "one", uuid] as const,
  messages: (chatId: number) => ["chats", "messages", chatId] as const,
};

/** How many messages of the chat this user has not read. */
export function unreadOf(chat: Chat, userId: number): number {
  return chat.users.find((member) => member.userId === userId)?.unreads ?? 0;
}

/** Inserts, replaces or removes a chat in every cached list. */
export function putChat(queryClient: QueryClient, chat: Chat, userId: number): void {
  changeLists(queryClient, chat.id, (data, { searchParam, withUnread }) => {
    const belongs = !withUnread || unreadOf(chat, userId) > 0;
    // only the server knows whether a search would find a new chat
    return placeChat(data, chat, { mayEnter: belongs && searchParam === "", mayStay: belongs });
  });
  keepInvalidated(queryClient, () =>
    queryClient.setQueryData<Chat | null>(chatKeys.one(chat.uuid), (known) => (known === undefined ? undefined : chat)),
  );
}

/** The chat was deleted, or this user is not a member any more: removes it and its messages from the cache. */
export function dropChat(queryClient: QueryClient, id: number): void {
  changeLists(queryClient, id, (data) => withoutChat(data, id));
  // The server counts pages by rows: without this one, the next page would skip a chat.
  void queryClient.invalidateQueries({
    queryKey: chatKeys.lists,
    predicate: ({ state }) => (state.data as ChatPages | undefined)?.pages.at(-1)?.hasMore === true,
  });
  queryClient.setQueriesData<Chat | null>({ queryKey: chatKeys.ones }, (known) => (known?.id === id ? null : known));
  queryClient.removeQueries({ queryKey: chatKeys.messages(id) });
}

/** Where more chats are unread than were fetched, only the server knows how many are left and which come next. */
function changeLists(
  queryClient: QueryClient,
  id: number,
  to: (data: ChatPages, filter: ChatFilter) => ChatPages,
): void {
  for (const [queryKey, data] of queryClient.getQueriesData<ChatPages>({ queryKey: chatKeys.lists })) {
    if (data) {
      const filter = queryKey[2] as ChatFilter;
      const changed = to(data, filter);
      keepInvalidated(queryClient, () => queryClient.setQueryData<ChatPages>(queryKey, changed));
      const isUnclear = !isKnown(data, id) || changed.pages.every(({ records }) => records.length === 0);
      if (filter.withUnread && changed.pages.at(-1)?.hasMore && isUnclear) {
        void queryClient.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
      }
    }
  }
}

function isKnown(data: ChatPages, id: number): boolean {
  return data.pages.some(({ records }) => records.some((chat) => chat.id === id));
}

/** Inserts a message into its chat, if that is loaded. */
export function putChatMessage(queryClient: QueryClient, message: ChatMessage): void {
  keepInvalidated(queryClient, () =>
    queryClient.setQueryData<ChatMessagePages>(
      chatKeys.messages(message.chatId),
      (pages) => pages && placeChatMessage(pages, message),
    ),
  );
}

/** Pure: inserts in order of time, latest first. A chat older than all loaded pages waits for its page. */
export function placeChat(
  data: ChatPages,
  chat: Chat,
  { mayEnter, mayStay }: { readonly mayEnter: boolean; readonly mayStay: boolean },
): ChatPages {
  const wasThere = isKnown(data, chat.id);
  const others = withoutChat(data, chat.id);
  if (!(wasThere ? mayStay : mayEnter)) {
    return others;
  }
  const within = others.pages.findIndex(({ records }) => records.some((other) => byLatest(chat, other) < 0));
  const last = others.pages.length - 1;
  const at = within === -1 && (wasThere || !others.pages[last]?.hasMore) ? last : within;
  return {
    ...others,
    pages: others.pages.map((page, index) => ({
      ...page,
      count: page.count + 1,
      records: index === at ? [...page.records, chat].sort(byLatest) : page.records,
    })),
  };
}

/** Pure: the pages without this chat. */
export function withoutChat(data: ChatPages, id: number): ChatPages {
  if (!isKnown(data, id)) {
    return data;
  }
  const pages = data.pages.map((page) => ({
    ...page,
    count: page.count - 1,
    records: page.records.filter((chat) => chat.id !== id),
  }));
  return { ...data, pages };
}

/** Pure: response and event both bring the message, it is inserted once. Ids of one chat grow with time. */
export function placeChatMessage(data: ChatMessagePages, message: ChatMessage): ChatMessagePages {
  if (data.pages.some(({ records }) => records.some(({ id }) => id === message.id))) {
    return data;
  }
  const [newest, ...older] = data.pages;
  return newest
    ? {
        ...data,
        pages: [{ ...newest, records: [...newest.records, message].sort((a, b) => a.id - b.id) }, ...older],
      }
    : data;
}

/** Drops all pages but the newest when a chat is left: opened again, it is shown at once. */
export function keepNewestPage(queryClient: QueryClient, chatId: number): void {
  keepInvalidated(queryClient, () =>
    queryClient.setQueryData<ChatMessagePages>(
      chatKeys.messages(chatId),
      (known) => known && { pages: known.pages.slice(0, 1), pageParams: known.pageParams.slice(0, 1) },
    ),
  );
}

function byLatest(a: Chat, b: Chat): number {
  return Date.parse(b.updatedAt) - Date.parse(a.updatedAt) || b.id - a.id;
}
