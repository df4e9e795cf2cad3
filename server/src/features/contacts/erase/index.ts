export { contactData } from "./erase-contact.ts";
export { findDataSubject } from "./erase.queries.ts";
