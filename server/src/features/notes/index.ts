export { snapshotNotes, undoNoteMerge } from "./undo-note-merge.queries.ts";
export type { NoteSnapshot } from "./undo-note-merge.queries.ts";
export { moveNotesOfContact, moveNotesOfTicket } from "./move-notes.queries.ts";
export { addTransferNote } from "./notes.service.ts";
