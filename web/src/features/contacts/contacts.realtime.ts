import type { RealtimeHandlers } from "#web/lib/realtime.ts";
import { contactKeys } from "./contacts.api.ts";

/** A contact that is shown is shown as it is now. */
export const contactsRealtime: RealtimeHandlers = {
  contact: (event, queryClient) => {
    if (event.action !== "delete") {
      queryClient.setQueryData(contactKeys.one(event.contact.id), (known) => known && event.contact);
    }
  },
};
