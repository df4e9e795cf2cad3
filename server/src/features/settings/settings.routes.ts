import { settings } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { listSettings, saveSetting } from "./settings.service.ts";

export function settingsRoutes(api: Api): void {
  const { vault } = api.services;
  serve(api, settings.list, (ctx) => listSettings(ctx));
  serve(api, settings.save, (ctx, { params, body }) => saveSetting(ctx, vault, params.key, body.value));
}
