import type { Feature } from "#server/platform/feature.ts";
import { tellContact, tellDeleted } from "./contacts.realtime.ts";
import { contactsRoutes } from "./contacts.routes.ts";
import { askLines } from "./number-check.ts";
import type { CheckNumber } from "./number-check.ts";

/** A test says itself what a line would answer. */
export function contactsFeature(options: { readonly checkNumber?: CheckNumber } = {}): Feature {
  return {
    name: "contacts",
    routes: (api) => contactsRoutes(api, options.checkNumber ?? askLines(api.services)),
    events: ({ media }) => ({
      "contact.created": tellContact("create", media),
      "contact.updated": tellContact("update", media),
      "contact.deleted": tellDeleted,
    }),
  };
}
