import { adminIdsOf } from "#server/features/users/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { publishRecords, userRoom } from "#server/platform/realtime/index.ts";
import { deleteFile, readFile } from "./knowledge.jobs.ts";
import { findKnowledgeFiles, findSources } from "./knowledge.queries.ts";
import { knowledgeRoutes } from "./knowledge.routes.ts";
import { DELETE_FILE_TASK, knowledgeFolder, READ_TASK, tellEmbedded } from "./knowledge.service.ts";
import { EMBED_TASK, embedCron, embedTexts } from "./meaning/index.ts";
import type { CreateEmbedders } from "./meaning/index.ts";
import { sourceView } from "./knowledge.view.ts";

/** The company's own texts. `embedders` find them by meaning too: AI prompts, which are above this feature. */
export const knowledgeFeature = (embedders: CreateEmbedders): Feature => ({
  name: "knowledge",
  routes: (api) => knowledgeRoutes(api, embedders(api.services)),
  files: [{ folder: knowledgeFolder, referenced: findKnowledgeFiles }],
  tasks: (services) => ({
    [READ_TASK]: readFile(services.storage),
    [DELETE_FILE_TASK]: deleteFile(services.storage),
    [EMBED_TASK]: embedTexts(embedders, tellEmbedded)(services),
  }),
  waitingTasks: [EMBED_TASK],
  crons: () => [embedCron],
  events: () =>
    publishRecords({
      noun: "knowledge",
      idField: "knowledgeId",
      load: async (ctx, ids) => (await findSources(ctx, ids)).map(sourceView),
      // Only admins may read it.
      rooms: async (ctx) => (await adminIdsOf(ctx)).map(userRoom),
    }),
});
