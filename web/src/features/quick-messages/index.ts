export { attachmentOf } from "./attachmentOf.ts";
export { QuickMessageDialog } from "./QuickMessageDialog.tsx";
export { QuickReplies } from "./QuickReplies.tsx";
export { quickMessagesResource } from "./quick-messages.api.ts";
export { quickMessageMessages } from "./quick-messages.i18n.ts";
export { quickMessagesRealtime } from "./quick-messages.realtime.ts";
export { useQuickReplies } from "./useQuickReplies.ts";
export { VariableButton } from "./VariableButton.tsx";
