import type { Feature } from "#server/platform/feature.ts";
import { tagsRoutes } from "./tags.routes.ts";

export const feature: Feature = { name: "tags", routes: tagsRoutes };
