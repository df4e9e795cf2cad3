export { deleteSheet, importContacts } from "./imports.jobs.ts";
export { findReferencedSheets } from "./imports.queries.ts";
export { cancelImport, DELETE_FILE_TASK, getLatestImport, startImport } from "./imports.service.ts";
export { columnsOf, previewImport, storeSheet } from "./store-sheet.ts";
export { checkRows } from "./check-rows.ts";
export type { ErasedSince, FindErasedNumbers } from "./check-rows.ts";
export type { ImportedContact, RefusedRow, SheetRow } from "./import-rows.ts";
export { readSheet } from "./read-sheet.ts";
export type { StoredSheet } from "./imports.service.ts";
