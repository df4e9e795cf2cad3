import type { RealtimeHandlers } from "#web/lib/realtime.ts";
import { addTo, takeFrom } from "./notes.cache.ts";

/** A colleague's note comes or goes while one looks at the conversation. */
export const notesRealtime: RealtimeHandlers = {
  ticketNote: (event, queryClient) => {
    if (event.action === "create") {
      addTo(queryClient, event.ticketId, event.note);
    } else {
      takeFrom(queryClient, event.ticketId, event.noteId);
    }
  },
};
