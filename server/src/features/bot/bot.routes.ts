import { botPreview } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import type { AssistantKinds } from "./bot.script.ts";
import { previewTurn } from "./preview/index.ts";

export function botRoutes(api: Api, assistants: AssistantKinds): void {
  const { media } = api.services;
  serve(api, botPreview.turn, (ctx, { body }) => previewTurn(ctx, { media, assistants }, body), {
    transaction: "read",
  });
}
