export { promptDriver } from "./prompt-driver.ts";
export { tryPrompt } from "./try-prompt.ts";
