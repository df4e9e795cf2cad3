import type { RealtimeHandlers } from "#web/lib/realtime.ts";
import { addTo, noteKeys, takeFrom } from "./notes.cache.ts";

/** A colleague's note comes or goes while one looks at the conversation. */
export const notesRealtime: RealtimeHandlers = {
  ticket: (event, queryClient) => {
    if (event.action === "reload") {
      void queryClient.invalidateQueries({ queryKey: noteKeys.of(event.ticket.id) });
    }
  },
  ticketNote: (event, queryClient) => {
    if (event.action === "create") {
      addTo(queryClient, event.ticketId, event.note);
    } else {
      takeFrom(queryClient, event.ticketId, event.noteId);
    }
  },
};
