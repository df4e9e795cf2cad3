export { contactData } from "./erase-contact.ts";
export { findDataSubject, findDataSubjects } from "./erase.queries.ts";
