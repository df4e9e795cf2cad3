export { deleteSheet, importIntoList } from "./imports.jobs.ts";
export { findReferencedSheets } from "./imports.queries.ts";
export {
  cancelImport,
  DELETE_SHEET_TASK,
  dropSheetsOf,
  IMPORT_TASK,
  importProgressOf,
  latestImportOf,
  startImport,
} from "./imports.service.ts";
export { refusedReport } from "./refused-report.ts";
