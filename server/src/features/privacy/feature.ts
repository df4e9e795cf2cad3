import type { Feature } from "#server/platform/feature.ts";
import type { PersonalDataOwner } from "#server/platform/personal-data.ts";
import type { FileOwner } from "#server/platform/storage/index.ts";
import { DELETE_FILES_TASK, deleteFilesJob, eraseContactJob, resumeErasures } from "./erase-contact.jobs.ts";
import { EXPORT_TASK, expireExports, exportContactJob, exportData, findReferencedExports } from "./export/index.ts";
import { privacyRoutes } from "./privacy.routes.ts";
import { ERASE_TASK } from "./privacy.service.ts";
import { retentionCron } from "./retention.ts";

/** `owners`: what all features keep of a person; `fileOwners`: which files they refer to. */
export function privacyFeature(owners: readonly PersonalDataOwner[], fileOwners: readonly FileOwner[]): Feature {
  return {
    name: "privacy",
    routes: privacyRoutes,
    tasks: (services) => ({
      [ERASE_TASK]: eraseContactJob(services, [...owners, exportData]),
      [EXPORT_TASK]: exportContactJob(services),
      [DELETE_FILES_TASK]: deleteFilesJob(services, fileOwners),
    }),
    files: [{ folder: "exports", referenced: findReferencedExports }],
    crons: ({ storage }) => [resumeErasures, retentionCron, expireExports(storage)],
  };
}
