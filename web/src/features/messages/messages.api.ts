import { messages } from "@prosa/contract/messages";
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryClient,
} from "@tanstack/react-query";
import { call } from "#web/lib/session/session.ts";
import { whenRoomJoined } from "#web/lib/realtime/socket.ts";
import { loadedUpTo, messageKeys, putMessage, type MessagePage, type MessagePages } from "./messages.cache.ts";

/**
 * The conversation of a ticket, page by page towards the past. Acks and edits are published to the ticket's socket room only:
 * so the fetch waits until the room is joined, and is repeated at each opening. `jumpTarget` gives the id of an older message
 * that is being jumped to, if any: pages are large then, and stay so when they are fetched again.
 */
export function conversationOptions(ticketId: number, jumpTarget: () => number | undefined = () => undefined) {
  return infiniteQueryOptions({
    queryKey: messageKeys.of(ticketId),
    queryFn: async ({ pageParam, client, queryKey, signal }): Promise<MessagePage> => {
      await whenRoomJoined("joinChatBox", ticketId);
      return call(messages.list, {
        params: { ticketId },
        query: {
          pageNumber: 1,
          // a tab that nobody sees reads nothing; once it is seen, the conversation is marked as read (M-14)
          ...(document.visibilityState === "hidden" && { ahead: "true" as const }),
          ...(pageParam !== undefined && {
            before: pageParam,
            upTo: jumpTarget() ?? loadedUpTo(client.getQueryData<MessagePages>(queryKey), pageParam),
          }),
        },
        signal,
      });
    },
    refetchOnMount: "always",
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.hasMore ? page.messages[0]?.id : undefined),
  });
}

/** Fetches the newest page before the conversation is opened, if it is not there; opening it fetches it again. */
export function prefetchMessages(queryClient: QueryClient, ticketId: number): Promise<void> {
  return queryClient.prefetchInfiniteQuery({
    ...conversationOptions(ticketId),
    queryFn: ({ signal }): Promise<MessagePage> =>
      call(messages.list, { params: { ticketId }, query: { pageNumber: 1, ahead: "true" }, signal }),
    staleTime: Infinity,
  });
}

/** The earlier texts of an edited message, oldest first. */
export function editsOptions(messageId: number) {
  return queryOptions({
    queryKey: messageKeys.edits(messageId),
    queryFn: ({ signal }) => call(messages.history, { params: { messageId }, signal }),
  });
}

/** Sets unread to zero and sends read receipts: the contact sees blue ticks (M-14). */
export function markRead(ticketId: number): Promise<unknown> {
  return call(messages.markRead, { params: { ticketId } });
}

export function useEditMessage() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ messageId, body }: { readonly messageId: number; readonly body: string }) =>
      call(messages.edit, { params: { messageId }, body: { body } }),
    onSuccess: (message) => putMessage(queryClient, message),
  });
}

/** Verbs that need no more than the message id. */
export function useMessageVerb(verb: "remove" | "retry" | "refetchMedia") {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (messageId: number) => call(messages[verb], { params: { messageId } }),
    onSuccess: (message) => putMessage(queryClient, message),
  });
}

export function useReact() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ messageId, emoji }: { readonly messageId: number; readonly emoji: string }) =>
      call(messages.react, { params: { messageId }, body: { emoji } }),
    onSuccess: (message) => putMessage(queryClient, message),
  });
}
