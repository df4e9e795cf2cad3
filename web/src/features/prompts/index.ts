export { PromptDialog } from "./PromptDialog.tsx";
export { promptsRealtime, promptsResource } from "./prompts.api.ts";
export { promptMessages } from "./prompts.i18n.ts";
