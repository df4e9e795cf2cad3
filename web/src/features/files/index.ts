export { FileListDialog } from "./FileListDialog.tsx";
export { FileListField } from "./FileListField.tsx";
export { fileListChoices, fileListsRealtime, fileListsResource } from "./files.api.ts";
export { fileListMessages } from "./files.i18n.ts";
