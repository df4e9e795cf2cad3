export { exportCompany, streamCompany } from "./archive/export-company.ts";
export { importCompany } from "./archive/import-company.ts";
export { moveFamily } from "./family/move-family.ts";
export { reportText } from "./report.ts";
export type { KindReport, MoveReport } from "./report.ts";
