import type { Feature } from "#server/platform/feature.ts";
import { endAbandonedImports, importChatJob } from "./chat-imports.jobs.ts";
import { findWaitingArchives } from "./chat-imports.queries.ts";
import { chatImportsRoutes } from "./chat-imports.routes.ts";
import { importedChats } from "./erase-imports.ts";
import { archiveFolder, IMPORT_TASK } from "./chat-imports.service.ts";

export const feature: Feature = {
  name: "chat-imports",
  routes: chatImportsRoutes,
  tasks: (services) => ({ [IMPORT_TASK]: importChatJob(services) }),
  crons: (services) => [endAbandonedImports(services)],
  personalData: [importedChats],
  files: [{ folder: archiveFolder, referenced: findWaitingArchives }],
};
