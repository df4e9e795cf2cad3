export { moveNotesOfContact, moveNotesOfTicket } from "./move-notes.queries.ts";
