import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { contactKeys, renewLookups } from "./contacts.api.ts";

/** Updates the cached contact, where one is shown, and what pickers find. */
export const contactsRealtime: RealtimeHandlers = {
  contact: (event, queryClient) => {
    if (event.action !== "delete") {
      queryClient.setQueryData(contactKeys.one(event.contact.id), (cached) => cached && event.contact);
    }
    void renewLookups(queryClient);
  },
};
