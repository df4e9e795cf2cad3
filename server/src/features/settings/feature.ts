import { wireName } from "@prosa/contract";
import { z } from "zod";
import type { Feature } from "#server/platform/feature.ts";
import { everybody } from "#server/platform/realtime/index.ts";
import { settingsRoutes } from "./settings.routes.ts";
import { sealedSettings } from "./settings.queries.ts";
import { listSettings } from "./settings.service.ts";

const savedSchema = z.object({ key: z.string() });

export const feature: Feature = {
  name: "settings",
  routes: settingsRoutes,
  sealed: [sealedSettings],
  events: () => ({
    "setting.saved": async (batch, { companyId, read }) => {
      const keys = new Set(batch.map(({ payload }) => savedSchema.parse(payload).key));
      const all = await read((ctx) => listSettings(ctx));
      return all
        .filter(({ key }) => keys.has(key))
        .map((setting) => ({
          rooms: [everybody],
          event: wireName(companyId, "settings"),
          payload: { action: "update", setting },
        }));
    },
  }),
};
