import { wireName } from "@prosa/contract";
import { z } from "zod";
import type { Feature } from "#server/platform/feature.ts";
import { everybody } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import { findReferencedOptionFiles } from "./queue-options.queries.ts";
import { queueOptionsRoutes } from "./queue-options.routes.ts";
import { queuesRoutes } from "./queues.routes.ts";
import { queuesOf } from "./queues.service.ts";

const queuePayload = z.object({ queueId: z.number().int() });

const publishQueue =
  (action: "create" | "update"): EventHandler =>
  async (batch, { companyId, read }) => {
    const ids = new Set(batch.map(({ payload }) => queuePayload.parse(payload).queueId));
    const all = await read((ctx) => queuesOf(ctx));
    return all
      .filter(({ id }) => ids.has(id))
      .map((queue) => ({ rooms: [everybody], event: wireName(companyId, "queue"), payload: { action, queue } }));
  };

export const feature: Feature = {
  name: "queues",
  routes: (api) => {
    queuesRoutes(api);
    queueOptionsRoutes(api);
  },
  files: [{ folder: "queue-options", referenced: findReferencedOptionFiles }],
  events: () => ({
    "queue.created": publishQueue("create"),
    "queue.updated": publishQueue("update"),
    "queue.deleted": async (batch, { companyId }) =>
      batch.map(({ payload }) => ({
        rooms: [everybody],
        event: wireName(companyId, "queue"),
        payload: { action: "delete", queueId: queuePayload.parse(payload).queueId },
      })),
  }),
  // The cached sessions of its users still list the deleted queue, and their sockets are in its rooms.
  eventWatchers: ({ sessions }) => ({
    "queue.deleted": ({ companyId }, sockets) => {
      sessions.forgetCompany(companyId);
      sockets.resyncCompany(companyId);
    },
  }),
};
