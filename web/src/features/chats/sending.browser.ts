import { chats } from "@prosa/contract/chats";
import { serverNow } from "#web/lib/clock.ts";
import { queryClient } from "#web/lib/queryClient.ts";
import { call, onSignedOut } from "#web/lib/session.ts";
import { putChatMessage } from "./chats.cache.ts";
import { createSending } from "./sending.ts";

/** Of this tab; who signs out takes it along. */
export const sending = createSending({
  post: ({ chatId, message, clientId }) => call(chats.send, { params: { id: chatId }, body: { message, clientId } }),
  onSent: (message) => putChatMessage(queryClient, message),
  now: () => new Date(serverNow()),
});

onSignedOut(sending.clear);
