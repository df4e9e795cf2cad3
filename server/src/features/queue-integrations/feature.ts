import { adminIdsOf } from "#server/features/users/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { publishRecords, userRoom } from "#server/platform/realtime/index.ts";
import { findIntegrations, sealedAccounts } from "./queue-integrations.queries.ts";
import { queueIntegrationsRoutes } from "./queue-integrations.routes.ts";

export const feature: Feature = {
  name: "queue-integrations",
  routes: queueIntegrationsRoutes,
  sealed: [sealedAccounts],
  events: () =>
    publishRecords({
      noun: "queueIntegration",
      idField: "integrationId",
      load: findIntegrations,
      // Only admins may read integrations.
      rooms: async (ctx) => (await adminIdsOf(ctx)).map(userRoom),
    }),
};
