export { chatOfTwoOptions, useUnreadChats } from "./chats.api.ts";
export { unreadOf } from "./chats.cache.ts";
export { chatMessages } from "./chats.i18n.ts";
export { chatsRealtime } from "./chats.realtime.ts";
export { ChatDialog } from "./ChatDialog.tsx";
export { ChatList, ChatRow } from "./ChatList.tsx";
export { ChatPane } from "./ChatPane.tsx";
