export { Composer } from "./Composer.tsx";
export { Conversation } from "./Conversation.tsx";
export { EditHistory } from "./EditHistory.tsx";
export { filesOf } from "./attachments.ts";
export { Lightbox } from "./Lightbox.tsx";
export { markRead, useMessageVerb, useReact } from "./messages.api.ts";
export { conversationMessages } from "./messages.i18n.ts";
export { messagesRealtime } from "./messages.realtime.ts";
export { openOutbox } from "./outbox.browser.ts";
