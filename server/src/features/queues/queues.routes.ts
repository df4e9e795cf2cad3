import { queues } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { removeWithFiles } from "./queue-options.files.ts";
import { createQueue, getQueue, queuesOf, removeQueue, updateQueue } from "./queues.service.ts";

export function queuesRoutes(api: Api): void {
  serve(api, queues.list, (ctx) => queuesOf(ctx));
  serve(api, queues.get, (ctx, { params }) => getQueue(ctx, params.id));
  serve(api, queues.create, (ctx, { body }) => createQueue(ctx, body));
  serve(api, queues.update, (ctx, { params, body }) => updateQueue(ctx, params.id, body));
  serve(
    api,
    queues.remove,
    async (edge, { params }) => {
      await removeWithFiles(edge, api.services.storage, (ctx) => removeQueue(ctx, params.id));
      return { message: "Queue deleted" };
    },
    { transaction: "none" },
  );
}
