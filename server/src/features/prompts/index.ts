export { createPrompt } from "./prompts.service.ts";
