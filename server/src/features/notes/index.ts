export { rememberNotes, splitNotes } from "./split-notes.queries.ts";
export type { NoteMemory } from "./split-notes.queries.ts";
export { moveNotesOfContact, moveNotesOfTicket } from "./move-notes.queries.ts";
