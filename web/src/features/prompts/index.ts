export { PromptDialog } from "./PromptDialog.tsx";
export { PromptTest } from "./PromptTest.tsx";
export { faultMessages } from "./prompt-faults.i18n.ts";
export { promptsRealtime, promptsResource } from "./prompts.api.ts";
export { promptMessages } from "./prompts.i18n.ts";
