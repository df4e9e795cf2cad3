import type { Feature } from "#server/platform/feature.ts";
import { productsRoutes } from "./products.routes.ts";

export const feature: Feature = { name: "products", routes: productsRoutes };
