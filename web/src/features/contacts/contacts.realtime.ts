import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { contactKeys } from "./contacts.api.ts";

/** Updates the cached contact, where one is shown. */
export const contactsRealtime: RealtimeHandlers = {
  contact: (event, queryClient) => {
    if (event.action !== "delete") {
      queryClient.setQueryData(contactKeys.one(event.contact.id), (cached) => cached && event.contact);
    }
  },
};
