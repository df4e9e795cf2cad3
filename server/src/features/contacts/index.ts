export { createContact } from "./contacts.service.ts";
export type { CheckNumber } from "./number-check.ts";
export { createContactBook } from "./people.ts";
export type { ContactBook, MoveBelongings } from "./people.ts";
