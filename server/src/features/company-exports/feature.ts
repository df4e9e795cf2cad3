import type { Feature } from "#server/platform/feature.ts";
import { expireArchives, writeExportJob } from "./company-exports.jobs.ts";
import type { WriteCompany } from "./company-exports.jobs.ts";
import { findReferencedArchives, findServedArchives } from "./company-exports.queries.ts";
import { companyExportsRoutes } from "./company-exports.routes.ts";
import { archiveFolder, EXPORT_TASK, exportData } from "./company-exports.service.ts";

/** `write`: knows the tables of all features. */
export function companyExportsFeature(write: WriteCompany): Feature {
  return {
    name: "company-exports",
    routes: companyExportsRoutes,
    tasks: (services) => ({ [EXPORT_TASK]: writeExportJob(services, write) }),
    files: [{ folder: archiveFolder, referenced: findReferencedArchives, visible: findServedArchives }],
    personalData: [exportData],
    crons: ({ storage }) => [expireArchives(storage)],
  };
}
