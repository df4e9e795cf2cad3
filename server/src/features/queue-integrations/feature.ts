import { wireName } from "@prosa/contract";
import { z } from "zod";
import { adminIdsOf } from "#server/features/users/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { userRoom } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import { findIntegrations, sealedAccounts } from "./queue-integrations.queries.ts";
import { queueIntegrationsRoutes } from "./queue-integrations.routes.ts";

const about = z.object({ integrationId: z.number().int() });

/** To admins: nobody else may read integrations. */
const tell =
  (action: "create" | "update"): EventHandler =>
  async (batch, { companyId, read }) => {
    const ids = batch.map(({ payload }) => about.parse(payload).integrationId);
    const [rows, admins] = await read((ctx) => Promise.all([findIntegrations(ctx, ids), adminIdsOf(ctx)]));
    return rows.map((record) => ({
      rooms: admins.map(userRoom),
      event: wireName(companyId, "queueIntegration"),
      payload: { action, record },
    }));
  };

export const feature: Feature = {
  name: "queue-integrations",
  routes: queueIntegrationsRoutes,
  sealed: [sealedAccounts],
  events: () => ({
    "queueIntegration.created": tell("create"),
    "queueIntegration.updated": tell("update"),
    "queueIntegration.deleted": async (batch, { companyId, read }) => {
      const admins = await read(adminIdsOf);
      return batch.map(({ payload }) => ({
        rooms: admins.map(userRoom),
        event: wireName(companyId, "queueIntegration"),
        payload: { action: "delete", id: about.parse(payload).integrationId },
      }));
    },
  }),
};
