import { adminIdsOf } from "#server/features/users/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { publishRecords, userRoom } from "#server/platform/realtime/index.ts";
import { forgetContexts } from "./answer/index.ts";
import type { IntegrationOptions } from "./answer/index.ts";
import { callData, pruneCalls, REPLAY_TASK, replayCall } from "./calls/index.ts";
import { findIntegrations, sealedAccounts, sealedSecrets } from "./queue-integrations.queries.ts";
import { queueIntegrationsRoutes } from "./queue-integrations.routes.ts";

/** `options`: a test has its own times. */
export const queueIntegrationsFeature = (options: IntegrationOptions = {}): Feature => ({
  name: "queue-integrations",
  routes: queueIntegrationsRoutes(options),
  sealed: [sealedAccounts, sealedSecrets],
  personalData: callData,
  tasks: (services) => ({ [REPLAY_TASK]: replayCall(services, options.timeoutMs) }),
  crons: ({ db, clock }) => [
    { name: "queue-integrations.prune", at: { hour: 4, minute: 55 }, run: () => pruneCalls(db, clock.now()) },
    { name: "queue-integrations.forget-contexts", everySeconds: 300, run: () => forgetContexts(db, clock.now()) },
  ],
  events: () =>
    publishRecords({
      noun: "queueIntegration",
      idField: "integrationId",
      load: findIntegrations,
      // Only admins may read integrations.
      rooms: async (ctx) => (await adminIdsOf(ctx)).map(userRoom),
    }),
});
