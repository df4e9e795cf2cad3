export { requestComposerFocus } from "./composer-focus.ts";
export { LazyComposer, prefetchComposerWhenIdle } from "./LazyComposer.tsx";
export { filesFromTransfer } from "./transferred-files.ts";
