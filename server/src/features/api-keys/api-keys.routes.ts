import { apiKeys } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { createKey, listKeys, removeKey } from "./api-keys.service.ts";

export function apiKeysRoutes(api: Api): void {
  serve(api, apiKeys.list, (ctx, { query }) => listKeys(ctx, query.pageNumber));
  serve(api, apiKeys.create, (ctx, { body }) => createKey(ctx, body));
  serve(api, apiKeys.remove, (ctx, { params }) => removeKey(ctx, params.id));
}
