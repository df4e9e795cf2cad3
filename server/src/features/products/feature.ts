import type { Feature } from "#server/platform/feature.ts";
import { publishRecords } from "#server/platform/realtime/index.ts";
import { productsRoutes } from "./products.routes.ts";
import { productsOf } from "./products.service.ts";

export const feature: Feature = {
  name: "products",
  routes: productsRoutes,
  events: () => publishRecords({ noun: "product", idField: "productId", load: productsOf }),
};
