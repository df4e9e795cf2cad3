import type { Feature } from "#server/platform/feature.ts";
import { tellRecords } from "#server/platform/realtime/index.ts";
import { tagsRoutes } from "./tags.routes.ts";
import { tagsOf } from "./tags.service.ts";

export const feature: Feature = {
  name: "tags",
  routes: tagsRoutes,
  events: () => tellRecords({ noun: "tag", idIn: "tagId", load: tagsOf }),
};
