export { createContact } from "./contacts.service.ts";
export { contactSummaryView } from "./contacts.view.ts";
export type { CheckNumber } from "./number-check.ts";
export { findOrCreateByPerson, findOrCreateContacts, joinIdentity } from "./people.ts";
export type { ContactRef, MoveBelongings, Seen } from "./people.ts";
