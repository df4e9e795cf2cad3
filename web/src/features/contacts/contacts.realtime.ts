import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { putContact, renewLookups } from "./contacts.api.ts";

/** Updates the cached contact, where one is shown, and what pickers find. */
export const contactsRealtime: RealtimeHandlers = {
  contact: (event, queryClient) => {
    if (event.action !== "delete") {
      putContact(queryClient, event.contact);
    }
    void renewLookups(queryClient);
  },
};
