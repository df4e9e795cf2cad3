import { webhooks } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import {
  createWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  renewSecret,
  replayDelivery,
  testWebhook,
  updateWebhook,
} from "./webhooks.service.ts";

export function webhooksRoutes(api: Api): void {
  const { vault, config } = api.services;
  const tools = { vault, mayBePrivate: config.webhooks.mayBePrivate };

  serve(api, webhooks.list, (ctx, { query }) => listWebhooks(ctx, query.pageNumber));
  serve(api, webhooks.get, (ctx, { params }) => getWebhook(ctx, params.id));
  serve(api, webhooks.create, (ctx, { body }) => createWebhook(ctx, tools, body));
  serve(api, webhooks.update, (ctx, { params, body }) => updateWebhook(ctx, tools, params.id, body));
  serve(api, webhooks.renewSecret, (ctx, { params }) => renewSecret(ctx, tools, params.id));
  serve(api, webhooks.remove, async (ctx, { params }) => {
    await removeWebhook(ctx, params.id);
    return { message: "Webhook deleted" };
  });
  serve(api, webhooks.test, (ctx, { params }) => testWebhook(ctx, params.id));
  serve(api, webhooks.deliveries, (ctx, { params, query }) => listDeliveries(ctx, params.id, query));
  serve(api, webhooks.replay, (ctx, { params }) => replayDelivery(ctx, params.id, params.deliveryId));
}
