import { wireName } from "@prosa/contract";
import { z } from "zod";
import type { Feature } from "#server/platform/feature.ts";
import { everybody } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import { filesOfOptions } from "./queue-options.queries.ts";
import { queueOptionsRoutes } from "./queue-options.routes.ts";
import { queuesRoutes } from "./queues.routes.ts";
import { queuesOf } from "./queues.service.ts";

const about = z.object({ queueId: z.number().int() });

const tellQueue =
  (action: "create" | "update"): EventHandler =>
  async (batch, { companyId, read }) => {
    const ids = new Set(batch.map(({ payload }) => about.parse(payload).queueId));
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
  files: [{ folder: "queue-options", referenced: filesOfOptions }],
  events: () => ({
    "queue.created": tellQueue("create"),
    "queue.updated": tellQueue("update"),
    "queue.deleted": async (batch, { companyId }) =>
      batch.map(({ payload }) => ({
        rooms: [everybody],
        event: wireName(companyId, "queue"),
        payload: { action: "delete", queueId: about.parse(payload).queueId },
      })),
  }),
  // Whoever served it serves one queue less.
  watches: ({ sessions }) => ({
    "queue.deleted": ({ companyId }) => sessions.forgetCompany(companyId),
  }),
};
