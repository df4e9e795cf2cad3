export { ChatImportDialog } from "./ChatImportDialog.tsx";
