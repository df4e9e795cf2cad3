export { Ack, BubbleFrame, useFailReasonText } from "./bubble/index.ts";
export {
  filesFromTransfer,
  HeldText,
  LazyComposer,
  prefetchComposerWhenIdle,
  renewComposerFocus,
  requestComposerFocus,
  useReference,
  withdrawComposerFocus,
  writeReplyDraft,
} from "./composer/index.ts";
export type { LaterReply } from "./composer/index.ts";
export { KeptConversations, MessageDialogs } from "./conversation/index.ts";
export { markRead, prefetchMessages, useMessageVerb, useReact } from "./messages.api.ts";
export { keepNewestPage } from "./messages.cache.ts";
export { conversationMessages } from "./messages.i18n.ts";
export { messagesRealtime } from "./messages.realtime.ts";
export { openOutbox } from "./outbox/index.ts";
export { RichText } from "./RichText.tsx";
