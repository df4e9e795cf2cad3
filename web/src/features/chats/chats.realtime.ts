import type { RealtimeHandlers } from "#web/lib/realtime.ts";
import { chatKeys, dropChat, putChat, putChatMessage } from "./chats.cache.ts";
import { noteNews } from "./news.ts";

/** Chats are live on every screen: the dot and the bell are (O-06, S-06). */
export const chatsRealtime: RealtimeHandlers = {
  chat: (event, queryClient, user) => {
    noteNews();
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
    noteNews();
    putChat(queryClient, record, user.id);
  },
  // who left the company left its chats
  user: (event, queryClient) => {
    if (event.action === "delete") {
      void queryClient.invalidateQueries({ queryKey: chatKeys.all });
    }
  },
};
