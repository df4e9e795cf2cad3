import type { Feature } from "#server/platform/feature.ts";
import { tellRecords } from "#server/platform/realtime/index.ts";
import { productsRoutes } from "./products.routes.ts";
import { productsOf } from "./products.service.ts";

export const feature: Feature = {
  name: "products",
  routes: productsRoutes,
  events: () => tellRecords({ noun: "product", idIn: "productId", load: productsOf }),
};
