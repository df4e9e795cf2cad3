export { askPrompt, noteFault, openPrompt, createPromptDriver } from "./answer/index.ts";
export type { AskedPrompt } from "./answer/index.ts";
export { createPrompt } from "./prompts.service.ts";
