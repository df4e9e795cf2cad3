import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { dropNote, noteKeys, putNote } from "./notes.cache.ts";

/** Applies socket events to the cached notes of a ticket. */
export const notesRealtime: RealtimeHandlers = {
  ticket: (event, queryClient) => {
    if (event.action === "reload") {
      void queryClient.invalidateQueries({ queryKey: noteKeys.of(event.ticket.id) });
    }
  },
  ticketNote: (event, queryClient) => {
    if (event.action === "create") {
      putNote(queryClient, event.ticketId, event.note);
    } else {
      dropNote(queryClient, event.ticketId, event.noteId);
    }
  },
};
