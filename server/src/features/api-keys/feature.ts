import type { Feature } from "#server/platform/feature.ts";
import { apiKeysRoutes } from "./api-keys.routes.ts";
import { apiKeyLoader } from "./load-api-key.ts";

export const feature: Feature = {
  name: "api-keys",
  routes: apiKeysRoutes,
  loadApiKey: apiKeyLoader,
};
