import { chats } from "@prosa/contract/chats";
import { serverNow } from "#web/lib/session/clock.ts";
import { queryClient } from "#web/lib/records/queryClient.ts";
import { call, currentSession, onSignedOut } from "#web/lib/session/session.ts";
import { createChatOutbox } from "./chat-outbox.ts";
import { putChatMessage } from "./chats.cache.ts";

/** The chat outbox of this tab; who signs out leaves nothing in it. */
export const chatOutbox = createChatOutbox({
  post: ({ chatId, message, clientId }) => call(chats.send, { params: { id: chatId }, body: { message, clientId } }),
  onSent: (message) => putChatMessage(queryClient, message),
  now: () => new Date(serverNow()),
  userId: () => {
    const session = currentSession();
    return session.state === "in" ? session.user.id : undefined;
  },
});

onSignedOut(chatOutbox.close);
