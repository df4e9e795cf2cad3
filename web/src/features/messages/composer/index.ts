export { requestComposerFocus } from "./composer-focus.ts";
export { LazyComposer, prefetchComposerWhenIdle } from "./LazyComposer.tsx";
export type { LaterReply } from "./send-later.ts";
export { filesFromTransfer } from "./transferred-files.ts";
