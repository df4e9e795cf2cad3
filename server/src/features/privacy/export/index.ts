export {
  EXPORT_TASK,
  expireExports,
  exportContactJob,
  exportData,
  listExports,
  openExport,
  requestExport,
} from "./contact-export.ts";
export { findReferencedExports } from "./export.queries.ts";
