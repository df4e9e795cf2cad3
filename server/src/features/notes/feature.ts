import type { Feature } from "#server/platform/feature.ts";
import { publishNoteCreated, publishNoteDeleted } from "./notes.realtime.ts";
import { notesRoutes } from "./notes.routes.ts";

export const feature: Feature = {
  name: "notes",
  routes: notesRoutes,
  events: () => ({ "note.created": publishNoteCreated, "note.deleted": publishNoteDeleted }),
};
