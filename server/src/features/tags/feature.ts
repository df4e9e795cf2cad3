import type { Feature } from "#server/platform/feature.ts";
import { publishRecords } from "#server/platform/realtime/index.ts";
import { tagsRoutes } from "./tags.routes.ts";
import { tagsOf } from "./tags.service.ts";

export const feature: Feature = {
  name: "tags",
  routes: tagsRoutes,
  events: () => publishRecords({ noun: "tag", idField: "tagId", load: tagsOf }),
};
