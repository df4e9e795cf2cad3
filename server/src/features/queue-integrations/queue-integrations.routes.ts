import { queueIntegrations } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import type { IntegrationOptions } from "./answer/index.ts";
import {
  createIntegration,
  getIntegration,
  listCalls,
  listIntegrations,
  lookUpIntegrations,
  removeIntegration,
  renewSecret,
  replayCall,
  updateIntegration,
} from "./queue-integrations.service.ts";
import { testIntegration } from "./test-integration.ts";

/** Calls that somebody makes by hand: a person's presses, and no cannon at the other system. */
const pushRate = { max: 60, perSeconds: 60 };

export const queueIntegrationsRoutes =
  (options: IntegrationOptions) =>
  (api: Api): void => {
    const { vault, signer, config, limiter } = api.services;
    const { mayBePrivate } = config.webhooks;
    const tools = { vault, mayBePrivate };
    const limitPushed = (companyId: number) => limiter.limit(`integration-push:${companyId}`, pushRate);

    serve(api, queueIntegrations.list, (ctx, { query }) => listIntegrations(ctx, query));
    serve(api, queueIntegrations.lookup, (ctx) => lookUpIntegrations(ctx));
    serve(api, queueIntegrations.get, (ctx, { params }) => getIntegration(ctx, params.id));
    serve(api, queueIntegrations.create, (ctx, { body }) => createIntegration(ctx, tools, body));
    serve(api, queueIntegrations.update, (ctx, { params, body }) => updateIntegration(ctx, tools, params.id, body));
    serve(api, queueIntegrations.remove, async (ctx, { params }) => {
      await removeIntegration(ctx, params.id);
      return { message: "Integration deleted" };
    });
    serve(api, queueIntegrations.renewSecret, (ctx, { params }) => renewSecret(ctx, tools, params.id));
    serve(
      api,
      queueIntegrations.test,
      (scope, { body }) => {
        limitPushed(scope.actor!.companyId);
        return testIntegration(scope, { ...tools, signer, dialogflowUrl: config.dialogflowUrl, options }, body);
      },
      { transaction: "none" },
    );
    serve(api, queueIntegrations.calls, (ctx, { params, query }) => listCalls(ctx, params.id, query.pageNumber));
    serve(api, queueIntegrations.replay, (ctx, { params }) => {
      limitPushed(ctx.companyId);
      return replayCall(ctx, params.id, params.callId);
    });
  };
