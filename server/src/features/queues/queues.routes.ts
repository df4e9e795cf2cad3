import { queues } from "@prosa/contract";
import { limitTokenSaves, serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { removeWithFiles } from "./queue-options.files.ts";
import { createQueue, getQueue, queuesOf, removeQueue, updateQueue } from "./queues.service.ts";

export function queuesRoutes(api: Api): void {
  serve(api, queues.list, (ctx) => queuesOf(ctx));
  serve(api, queues.get, (ctx, { params }) => getQueue(ctx, params.id));
  serve(api, queues.create, async (ctx, { body }) => {
    await limitTokenSaves(api.services, ctx.companyId, body.token);
    return createQueue(ctx, body);
  });
  serve(api, queues.update, async (ctx, { params, body }) => {
    await limitTokenSaves(api.services, ctx.companyId, body.token);
    return updateQueue(ctx, params.id, body);
  });
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
