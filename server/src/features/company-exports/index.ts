export { archiveFolder } from "./company-exports.service.ts";
export type { ArchivePlan, WriteCompany } from "./company-exports.jobs.ts";
