import { chats, type Chat, type ChatBody } from "@prosa/contract/chats";
import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { callOnce } from "#web/lib/api/call-once.ts";
import { ApiError } from "#web/lib/api/apiError.ts";
import { call, useUser } from "#web/lib/session/session.ts";
import { chatKeys, dropChat, putChat, type ChatFilter, type ChatMessagePage, type ChatPage } from "./chats.cache.ts";
import { fetchWithoutRace } from "./fetch-race.ts";

/** The chats of the signed-in user, latest first (O-06). */
export function chatListOptions(filter: ChatFilter) {
  return infiniteQueryOptions({
    queryKey: chatKeys.list(filter),
    queryFn: ({ pageParam, signal }): Promise<ChatPage> => {
      const query = { ...filter, withUnread: filter.withUnread ? "true" : "false", pageNumber: pageParam } as const;
      return fetchWithoutRace(() => call(chats.list, { query, signal }));
    },
    initialPageParam: 1,
    getNextPageParam: (last, all) => (last.hasMore ? all.length + 1 : undefined),
  });
}

/** The latest chats with unread messages, and how many there are, for the dot and the bell (S-04, S-06). */
export function useUnreadChats(): Pick<ChatPage, "records" | "count"> {
  const { data } = useInfiniteQuery(chatListOptions({ searchParam: "", withUnread: true }));
  return data?.pages[0] ?? { records: [], count: 0 };
}

/** Null for a chat that does not exist, or whose member this user is not. */
export function chatOptions(uuid: string) {
  return queryOptions({
    queryKey: chatKeys.one(uuid),
    queryFn: ({ signal }): Promise<Chat | null> =>
      fetchWithoutRace(() => call(chats.byUuid, { params: { uuid }, signal })).catch((error: unknown) => {
        if (error instanceof ApiError && (error.status === 404 || error.code === "ERR_VALIDATION")) {
          return null;
        }
        throw error;
      }),
  });
}

/** The chat of this user and one colleague alone; null where there is none. */
export function chatOfTwoOptions(userId: number, withId: number) {
  const isOfTwo = ({ users }: Chat) =>
    users.length === 2 && users.every((member) => [userId, withId].includes(member.userId));
  return queryOptions({
    queryKey: [...chatKeys.all, "with", withId],
    queryFn: async ({ signal }): Promise<Chat | null> => {
      for (let pageNumber = 1; ; pageNumber += 1) {
        const { records, hasMore } = await call(chats.list, { query: { pageNumber }, signal });
        const found = records.find(isOfTwo);
        if (found || !hasMore) {
          return found ?? null;
        }
      }
    },
    enabled: withId > 0,
    // the next time there may be one
    gcTime: 0,
  });
}

/** The newest page first; the cursor is the oldest message of the page before. */
export function chatMessagesOptions(chatId: number) {
  return infiniteQueryOptions({
    queryKey: chatKeys.messages(chatId),
    queryFn: ({ pageParam, signal }): Promise<ChatMessagePage> =>
      fetchWithoutRace(() => call(chats.messages, { params: { id: chatId }, query: { before: pageParam }, signal })),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.hasMore ? last.records[0]?.id : undefined),
  });
}

interface ChatInput {
  readonly id: number | undefined;
  readonly whole: ChatBody;
  readonly changed: Partial<ChatBody>;
}

/** Creates a chat without an id; of one with an id it saves what was changed. */
export function useSaveChat() {
  const queryClient = useQueryClient();
  const user = useUser();
  return useMutation({
    mutationFn: ({ id, whole, changed }: ChatInput) =>
      id === undefined
        ? callOnce(chats.create, { body: whole })
        : call(chats.update, { params: { id }, body: changed }),
    onSuccess: (chat) => putChat(queryClient, chat, user.id),
  });
}

export function useRemoveChat() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(chats.remove, { params: { id } }),
    onSuccess: (_, id) => dropChat(queryClient, id),
  });
}

/** Marks the chat as read. The event updates the cache; after an error it is tried again when the chat is seen again. */
export function markChatRead(id: number, userId: number): void {
  call(chats.read, { params: { id }, body: { userId } }).catch(() => undefined);
}
