export { fileListMessages } from "./file-list-messages.ts";
export type { FileListMessages, ListedFile } from "./file-list-messages.ts";
export { fileListEvents } from "./files.events.ts";
export { requireFileList } from "./files.service.ts";
