import type { Note } from "@prosa/contract/notes";
import type { QueryClient } from "@tanstack/react-query";

export const noteKeys = { of: (ticketId: number) => ["notes", ticketId] as const };

/** Inserts a note, newest first; once, although response and event both bring it. */
export function putNote(queryClient: QueryClient, ticketId: number, note: Note): void {
  queryClient.setQueryData<readonly Note[]>(
    noteKeys.of(ticketId),
    (known) => known && [note, ...known.filter(({ id }) => id !== note.id)].sort((a, b) => b.id - a.id),
  );
}

export function dropNote(queryClient: QueryClient, ticketId: number, noteId: number): void {
  queryClient.setQueryData<readonly Note[]>(noteKeys.of(ticketId), (known) => known?.filter(({ id }) => id !== noteId));
}
