export { renewComposerFocus, requestComposerFocus, withdrawComposerFocus } from "./composer-focus.ts";
export { HeldText } from "./text-ahead.ts";
export { LazyComposer, prefetchComposerWhenIdle } from "./LazyComposer.tsx";
export { writeReplyDraft } from "./reply/reply-draft.ts";
export type { LaterReply } from "./reply/send-later.ts";
export { filesFromTransfer } from "./files/transferred-files.ts";
export { useReference } from "./useReference.ts";
