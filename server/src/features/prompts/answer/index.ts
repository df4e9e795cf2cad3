export { askPrompt, noteFault, openPrompt } from "./ask-prompt.ts";
export type { AskedPrompt } from "./ask-prompt.ts";
export { createPromptDriver } from "./prompt-driver.ts";
export { tryPrompt } from "./try-prompt.ts";
