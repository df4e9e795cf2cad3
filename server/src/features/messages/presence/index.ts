export { findTypingChat, keepTyping } from "./keep-typing.ts";
export type { TypingChat } from "./keep-typing.ts";
export { createLineTyping } from "./line-typing.ts";
export type { TypingLines } from "./line-typing.ts";
export { createPresence } from "./presence.ts";
export { presenceTiming } from "./presence.state.ts";
