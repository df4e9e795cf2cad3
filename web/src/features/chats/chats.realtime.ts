import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { chatKeys, dropChat, putChat, putChatMessage } from "./chats.cache.ts";
import { countChatEvent } from "./fetch-race.ts";

/** Applies socket events to the cached chats, on every screen: the dot and the bell are live everywhere (O-06, S-06). */
export const chatsRealtime: RealtimeHandlers = {
  chat: (event, queryClient, user) => {
    countChatEvent();
    if (event.action === "delete") {
      dropChat(queryClient, event.id);
      return;
    }
    putChat(queryClient, event.chat, user.id);
    if (event.action === "new-message") {
      putChatMessage(queryClient, event.newMessage);
    }
  },
  "chat-user": ({ record }, queryClient, user) => {
    countChatEvent();
    putChat(queryClient, record, user.id);
  },
  // A deleted user is removed from all chats; a new name stands in members and messages.
  user: (event, queryClient) => {
    if (event.action !== "create") {
      void queryClient.invalidateQueries({ queryKey: chatKeys.all });
    }
  },
};
