import { knowledge } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { createSource, getSource, listSources, removeSource, updateSource, uploadFile } from "./knowledge.service.ts";
import type { Embedders } from "./meaning/index.ts";
import { searchKnowledge } from "./search.ts";

export function knowledgeRoutes(api: Api, embedders: Embedders): void {
  const { storage } = api.services;
  serve(api, knowledge.list, (ctx, { query }) => listSources(ctx, query));
  serve(api, knowledge.get, (ctx, { params }) => getSource(ctx, params.id));
  serve(api, knowledge.create, (ctx, { body }) => createSource(ctx, body));
  serve(api, knowledge.update, (ctx, { params, body }) => updateSource(ctx, params.id, body));
  serve(
    api,
    knowledge.upload,
    (scope, { params, files: [file] }) => {
      if (!file) {
        throw new AppError("ERR_VALIDATION", { fields: { file: "Required" } });
      }
      return uploadFile(scope, storage, params.id, file);
    },
    // The file is stored outside the transaction.
    { transaction: "none" },
  );
  serve(api, knowledge.remove, async (ctx, { params }) => {
    await removeSource(ctx, params.id);
    return { message: "Knowledge deleted" };
  });
  serve(
    api,
    knowledge.search,
    async (scope, { body: { question, promptId = null } }) => ({
      passages: await searchKnowledge(scope, embedders, { question, promptId }),
    }),
    // A service is asked for the question's vector.
    { transaction: "none" },
  );
}
