export { PromptDialog } from "./PromptDialog.tsx";
export { promptsRealtime, usePrompts, useRemovePrompt } from "./prompts.api.ts";
export { promptMessages } from "./prompts.i18n.ts";
