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

/** Deliveries that somebody asks for by hand: a person's presses, and no cannon at the receiver. */
const pushRate = { max: 60, perSeconds: 60 };

export function webhooksRoutes(api: Api): void {
  const { vault, config, limiter } = api.services;
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
  const limitPushed = (companyId: number) => limiter.limit(`webhook-push:${companyId}`, pushRate);
  serve(api, webhooks.test, (ctx, { params }) => {
    limitPushed(ctx.companyId);
    return testWebhook(ctx, tools, params.id);
  });
  serve(api, webhooks.deliveries, (ctx, { params, query }) => listDeliveries(ctx, params.id, query));
  serve(api, webhooks.replay, (ctx, { params }) => {
    limitPushed(ctx.companyId);
    return replayDelivery(ctx, params.id, params.deliveryId);
  });
}
