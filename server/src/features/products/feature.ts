import { wireName } from "@prosa/contract";
import { z } from "zod";
import type { Feature } from "#server/platform/feature.ts";
import { everybody } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import { productsRoutes } from "./products.routes.ts";
import { productsOf } from "./products.service.ts";

const about = z.object({ productId: z.number().int() });

const tellProduct =
  (action: "create" | "update"): EventHandler =>
  async (batch, { companyId, read }) => {
    const ids = new Set(batch.map(({ payload }) => about.parse(payload).productId));
    const all = await read((ctx) => productsOf(ctx));
    return all
      .filter(({ id }) => ids.has(id))
      .map((product) => ({
        rooms: [everybody],
        event: wireName(companyId, "product"),
        payload: { action, record: product },
      }));
  };

export const feature: Feature = {
  name: "products",
  routes: productsRoutes,
  events: () => ({
    "product.created": tellProduct("create"),
    "product.updated": tellProduct("update"),
    "product.deleted": async (batch, { companyId }) =>
      batch.map(({ payload }) => ({
        rooms: [everybody],
        event: wireName(companyId, "product"),
        payload: { action: "delete", id: about.parse(payload).productId },
      })),
  }),
};
