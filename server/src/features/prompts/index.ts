export {
  askPrompt,
  createPromptDriver,
  embedderOf,
  isUntranscribed,
  noteFault,
  openPrompt,
  promptEmbedders,
} from "./answer/index.ts";
export type { AskedPrompt } from "./answer/index.ts";
export { createPrompt } from "./prompts.service.ts";
