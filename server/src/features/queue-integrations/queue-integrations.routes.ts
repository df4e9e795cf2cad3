import { queueIntegrations } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import {
  createIntegration,
  getIntegration,
  listIntegrations,
  lookUpIntegrations,
  removeIntegration,
  updateIntegration,
} from "./queue-integrations.service.ts";

export function queueIntegrationsRoutes(api: Api): void {
  const { vault } = api.services;
  serve(api, queueIntegrations.list, (ctx, { query }) => listIntegrations(ctx, query));
  serve(api, queueIntegrations.lookup, (ctx) => lookUpIntegrations(ctx));
  serve(api, queueIntegrations.get, (ctx, { params }) => getIntegration(ctx, params.id));
  serve(api, queueIntegrations.create, (ctx, { body }) => createIntegration(ctx, vault, body));
  serve(api, queueIntegrations.update, (ctx, { params, body }) => updateIntegration(ctx, vault, params.id, body));
  serve(api, queueIntegrations.remove, async (ctx, { params }) => {
    await removeIntegration(ctx, params.id);
    return { message: "Integration deleted" };
  });
}
