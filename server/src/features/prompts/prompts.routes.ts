import { prompts } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { tryPrompt } from "./answer/index.ts";
import { createPrompt, getPrompt, listPrompts, removePrompt, updatePrompt } from "./prompts.service.ts";

export function promptsRoutes(api: Api): void {
  const { vault, config } = api.services;
  const tools = { vault, mayBePrivate: config.languageModels.mayBePrivate };
  serve(api, prompts.list, async (ctx) => ({ prompts: await listPrompts(ctx) }));
  serve(api, prompts.get, (ctx, { params }) => getPrompt(ctx, params.id));
  serve(api, prompts.create, (ctx, { body }) => createPrompt(ctx, tools, body));
  serve(api, prompts.update, (ctx, { params, body }) => updatePrompt(ctx, tools, params.id, body));
  serve(api, prompts.test, (scope, { params, body }) => tryPrompt(api.services, scope, params.id, body.texts), {
    transaction: "none",
  });
  serve(api, prompts.remove, async (ctx, { params }) => {
    await removePrompt(ctx, params.id);
    return { message: "Prompt deleted" };
  });
}
