export { promptDriver } from "./answer/index.ts";
export { createPrompt } from "./prompts.service.ts";
