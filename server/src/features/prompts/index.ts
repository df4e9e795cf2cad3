export { askPrompt, noteFault, openPrompt, promptDriver } from "./answer/index.ts";
export type { AskedPrompt } from "./answer/index.ts";
export { createPrompt } from "./prompts.service.ts";
