import { chats } from "@prosa/contract/chats";
import { serverNow } from "#web/lib/session/clock.ts";
import { queryClient } from "#web/lib/records/queryClient.ts";
import { call, onSignedOut } from "#web/lib/session/session.ts";
import { createChatOutbox } from "./chat-outbox.ts";
import { putChatMessage } from "./chats.cache.ts";

/** The chat outbox of this tab; signing out clears it. */
export const chatOutbox = createChatOutbox({
  post: ({ chatId, message, clientId }) => call(chats.send, { params: { id: chatId }, body: { message, clientId } }),
  onSent: (message) => putChatMessage(queryClient, message),
  now: () => new Date(serverNow()),
});

onSignedOut(chatOutbox.clear);
