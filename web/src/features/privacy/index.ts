export { EraseDialog } from "./EraseDialog.tsx";
export { ExportDialog } from "./ExportDialog.tsx";
export { countKeptByQueue, retentionRealtime } from "./privacy.api.ts";
export { PrivacyTab } from "./PrivacyTab.tsx";
