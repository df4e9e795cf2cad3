import type { Feature } from "#server/platform/feature.ts";
import { tellContact, tellDeleted } from "./contacts.realtime.ts";
import { contactsRoutes } from "./contacts.routes.ts";
import type { CheckNumber } from "./number-check.ts";

/** `checkNumber` asks the line of a connection, wherever it runs. */
export function contactsFeature(options: { readonly checkNumber: CheckNumber }): Feature {
  return {
    name: "contacts",
    routes: (api) => contactsRoutes(api, options.checkNumber),
    events: ({ media }) => ({
      "contact.created": tellContact("create", media),
      "contact.updated": tellContact("update", media),
      "contact.deleted": tellDeleted,
    }),
  };
}
