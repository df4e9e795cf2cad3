import { wireName } from "@prosa/contract";
import type { Feature } from "#server/platform/feature.ts";
import { everybody } from "#server/platform/realtime/index.ts";
import { supportRoutes } from "./support.routes.ts";

export const feature: Feature = {
  name: "support",
  routes: supportRoutes,
  events: () => ({
    "support.changed": async (_batch, { companyId }) => [
      { rooms: [everybody], event: wireName(companyId, "support"), payload: { action: "changed" } },
    ],
  }),
  // A consent may have become shorter: its sessions and their sockets are looked at again.
  eventWatchers: ({ sessions }) => ({
    "support.changed": ({ companyId }, sockets) => {
      sessions.forgetCompany(companyId);
      sockets.recheckCompany(companyId);
    },
  }),
};
