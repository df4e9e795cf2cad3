import { notes, type Note } from "@prosa/contract/notes";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { callOnce } from "#web/lib/api/call-once.ts";
import { call } from "#web/lib/session/session.ts";
import { dropNote, noteKeys, putNote } from "./notes.cache.ts";

/** The notes of a ticket, newest first (T-21). */
export function notesOptions(ticketId: number) {
  return queryOptions({
    queryKey: noteKeys.of(ticketId),
    queryFn: ({ signal }): Promise<readonly Note[]> => call(notes.list, { query: { ticketId }, signal }),
  });
}

/** Adds a note; the same one again, after its answer was lost, is that note. */
export function useAddNote() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { readonly ticketId: number; readonly contactId: number; readonly note: string }) =>
      callOnce(notes.create, { body }),
    onSuccess: (note, { ticketId }) => putNote(queryClient, ticketId, note),
  });
}

export function useRemoveNote(ticketId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(notes.remove, { params: { id } }),
    onSuccess: (_, id) => dropNote(queryClient, ticketId, id),
  });
}
