export { Ack, BubbleFrame } from "./bubble/index.ts";
export { filesFromTransfer, LazyComposer, prefetchComposerWhenIdle, requestComposerFocus } from "./composer/index.ts";
export { Conversation, MessageDialogs } from "./conversation/index.ts";
export { markRead, useMessageVerb, useReact } from "./messages.api.ts";
export { keepNewestPage } from "./messages.cache.ts";
export { conversationMessages } from "./messages.i18n.ts";
export { messagesRealtime } from "./messages.realtime.ts";
export { openOutbox } from "./outbox/index.ts";
export { RichText } from "./RichText.tsx";
