export { EraseDialog } from "./EraseDialog.tsx";
export { ExportDialog } from "./ExportDialog.tsx";
export { PrivacyTab } from "./PrivacyTab.tsx";
