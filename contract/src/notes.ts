import { z } from "zod";
import { done, id, idParams, instant } from "./common.ts";
import { endpoint } from "./endpoint.ts";

export const note = z.object({
  id: z.number().int(),
  note: z.string(),
  user: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  ticketId: z.number().int().nullable(),
  contactId: z.number().int(),
  createdAt: instant,
});
export type Note = z.output<typeof note>;

/** Specification 1 section 5: required, at least 2 letters. */
export const noteRules = { minLetters: 2, maxLetters: 4_000 } as const;
export const noteBody = z.object({
  note: z.string().trim().min(noteRules.minLetters, "Too Short!").max(noteRules.maxLetters, "Too Long!"),
  ticketId: id,
  contactId: id,
});

export const notes = {
  list: endpoint({
    method: "GET",
    path: "/ticket-notes/list",
    summary: "Notes of a contact or of a ticket, newest first",
    access: { who: "session" },
    query: z.object({ ticketId: id.optional(), contactId: id.optional() }),
    response: z.array(note),
  }),
  create: endpoint({
    method: "POST",
    path: "/ticket-notes",
    summary: "Add a note",
    access: { who: "session" },
    body: noteBody,
    response: note,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/ticket-notes/:id",
    summary: "Delete a note: its author, or an admin",
    access: { who: "session" },
    params: idParams,
    response: done,
  }),
} as const;
