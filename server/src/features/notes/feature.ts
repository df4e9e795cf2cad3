import type { Feature } from "#server/platform/feature.ts";
import { tellCreated, tellDeleted } from "./notes.realtime.ts";
import { notesRoutes } from "./notes.routes.ts";

export const feature: Feature = {
  name: "notes",
  routes: notesRoutes,
  events: () => ({ "note.created": tellCreated, "note.deleted": tellDeleted }),
};
