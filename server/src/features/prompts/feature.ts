import { adminIdsOf } from "#server/features/users/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { publishRecords, userRoom } from "#server/platform/realtime/index.ts";
import { sealedPrompts } from "./prompts.queries.ts";
import { promptsRoutes } from "./prompts.routes.ts";
import { listPrompts } from "./prompts.service.ts";

export const feature: Feature = {
  name: "prompts",
  routes: promptsRoutes,
  sealed: sealedPrompts,
  events: () =>
    publishRecords({
      noun: "prompt",
      idField: "promptId",
      load: listPrompts,
      // Only admins may read prompts.
      rooms: async (ctx) => (await adminIdsOf(ctx)).map(userRoom),
    }),
};
