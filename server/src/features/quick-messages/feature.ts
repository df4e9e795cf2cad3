import { wireName } from "@prosa/contract";
import type { Feature } from "#server/platform/feature.ts";
import { everybody } from "#server/platform/realtime/index.ts";
import { filesOfQuickMessages } from "./quick-messages.queries.ts";
import { quickMessagesRoutes } from "./quick-messages.routes.ts";

export const feature: Feature = {
  name: "quick-messages",
  routes: quickMessagesRoutes,
  files: [{ folder: "quick-messages", named: filesOfQuickMessages }],
  events: () => ({
    // One packet for all of a batch: it carries nothing, so that a personal one is told to nobody else.
    "quickMessage.changed": async (_batch, { companyId }) => [
      { rooms: [everybody], event: wireName(companyId, "quickMessage"), payload: { action: "changed" } },
    ],
  }),
};
