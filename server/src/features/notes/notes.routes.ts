import { notes } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { addNote, listNotes, removeNote } from "./notes.service.ts";

export function notesRoutes(api: Api): void {
  serve(api, notes.list, (ctx, { query }) => listNotes(ctx, query));
  serve(api, notes.create, (ctx, { body }) => addNote(ctx, body));
  serve(api, notes.remove, async (ctx, { params }) => {
    await removeNote(ctx, params.id);
    return { message: "Note deleted" };
  });
}
