import { adminIdsOf } from "#server/features/users/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { publishRecords, userRoom } from "#server/platform/realtime/index.ts";
import { deleteFile, readFile } from "./knowledge.jobs.ts";
import { findKnowledgeFiles, findSources } from "./knowledge.queries.ts";
import { knowledgeRoutes } from "./knowledge.routes.ts";
import { DELETE_FILE_TASK, knowledgeFolder, READ_TASK } from "./knowledge.service.ts";
import { sourceView } from "./knowledge.view.ts";

export const feature: Feature = {
  name: "knowledge",
  routes: knowledgeRoutes,
  files: [{ folder: knowledgeFolder, referenced: findKnowledgeFiles }],
  tasks: ({ storage }) => ({ [READ_TASK]: readFile(storage), [DELETE_FILE_TASK]: deleteFile(storage) }),
  events: () =>
    publishRecords({
      noun: "knowledge",
      idField: "knowledgeId",
      load: async (ctx, ids) => (await findSources(ctx, ids)).map(sourceView),
      // Only admins may read it.
      rooms: async (ctx) => (await adminIdsOf(ctx)).map(userRoom),
    }),
};
