export { notesOptions, useAddNote } from "./notes.api.ts";
export { notesRealtime } from "./notes.realtime.ts";
export { TicketNotes } from "./TicketNotes.tsx";
