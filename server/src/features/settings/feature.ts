import { wireName } from "@prosa/contract";
import { z } from "zod";
import type { Feature } from "#server/platform/feature.ts";
import { everybody } from "#server/platform/realtime/index.ts";
import type { OperatorToken } from "./operator-token.ts";
import { settingsRoutes } from "./settings.routes.ts";
import { listSettings } from "./settings.service.ts";

const savedSchema = z.object({ key: z.string() });

/** `token`: where the setting `asaas` is kept. */
export const settingsFeature = (token: OperatorToken): Feature => ({
  name: "settings",
  routes: (api) => settingsRoutes(api, token),
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
});
