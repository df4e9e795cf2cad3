import { wireName } from "@prosa/contract";
import { z } from "zod";
import { adminIdsOf } from "#server/features/users/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { userRoom } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import { sealedPrompts } from "./prompts.queries.ts";
import { promptsRoutes } from "./prompts.routes.ts";
import { listPrompts } from "./prompts.service.ts";

const about = z.object({ promptId: z.number().int() });

/** To admins: nobody else may read prompts. */
const tell =
  (action: "create" | "update"): EventHandler =>
  async (batch, { companyId, read }) => {
    const ids = new Set(batch.map(({ payload }) => about.parse(payload).promptId));
    const [all, admins] = await read((ctx) => Promise.all([listPrompts(ctx), adminIdsOf(ctx)]));
    return all
      .filter(({ id }) => ids.has(id))
      .map((record) => ({
        rooms: admins.map(userRoom),
        event: wireName(companyId, "prompt"),
        payload: { action, record },
      }));
  };

export const feature: Feature = {
  name: "prompts",
  routes: promptsRoutes,
  sealed: sealedPrompts,
  events: () => ({
    "prompt.created": tell("create"),
    "prompt.updated": tell("update"),
    "prompt.deleted": async (batch, { companyId, read }) => {
      const admins = await read(adminIdsOf);
      return batch.map(({ payload }) => ({
        rooms: admins.map(userRoom),
        event: wireName(companyId, "prompt"),
        payload: { action: "delete", id: about.parse(payload).promptId },
      }));
    },
  }),
};
