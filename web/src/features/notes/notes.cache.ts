import type { Note } from "@prosa/contract/notes";
import type { QueryClient } from "@tanstack/react-query";

export const noteKeys = { of: (ticketId: number) => ["notes", ticketId] as const };

/** The newest first; one that is known already stays once: the answer and the event both bring it. */
export function addTo(queryClient: QueryClient, ticketId: number, note: Note): void {
  queryClient.setQueryData<readonly Note[]>(
    noteKeys.of(ticketId),
    (known) => known && [note, ...known.filter(({ id }) => id !== note.id)].sort((a, b) => b.id - a.id),
  );
}

export function takeFrom(queryClient: QueryClient, ticketId: number, noteId: number): void {
  queryClient.setQueryData<readonly Note[]>(noteKeys.of(ticketId), (known) => known?.filter(({ id }) => id !== noteId));
}
