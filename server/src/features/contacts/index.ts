export { createContact } from "./contacts.service.ts";
export { createContactBook } from "./people.ts";
export type { ContactBook, MoveBelongings } from "./people.ts";
