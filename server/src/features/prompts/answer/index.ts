export { askPrompt, noteFault, openPrompt } from "./ask-prompt.ts";
export type { AskedPrompt } from "./ask-prompt.ts";
export { embedderOf, promptEmbedders } from "./embedder.ts";
export { createPromptDriver } from "./prompt-driver.ts";
export { tryPrompt } from "./try-prompt.ts";
export { isUntranscribed } from "./untranscribed.ts";
