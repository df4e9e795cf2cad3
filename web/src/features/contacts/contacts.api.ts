import { contacts, type Contact, type ContactBody } from "@prosa/contract/contacts";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#web/lib/session/session.ts";

export const contactKeys = {
  one: (id: number) => ["contacts", "one", id] as const,
  found: (text: string) => ["contacts", "lookup", text] as const,
};

/** A contact with its e-mail and extra information. */
export function contactOptions(id: number) {
  return queryOptions({
    queryKey: contactKeys.one(id),
    queryFn: ({ signal }) => call(contacts.get, { params: { id }, signal }),
  });
}

/** A picker searches from this many letters on (specification 1 section 5). */
export const searchFrom = 3;

/** Up to 50 contacts whose name or number contains the text. */
export function contactLookupOptions(text: string) {
  return queryOptions({
    queryKey: contactKeys.found(text),
    queryFn: ({ signal }) => call(contacts.lookup, { query: { searchParam: text }, signal }),
    enabled: text.length >= searchFrom,
    placeholderData: keepPreviousData,
  });
}

/** Creates without an id, updates with one. */
export function useSaveContact(id?: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: ContactBody): Promise<Contact> =>
      id === undefined ? call(contacts.create, { body }) : call(contacts.update, { params: { id }, body }),
    onSuccess: (saved) => {
      queryClient.setQueryData(contactKeys.one(saved.id), saved);
      return queryClient.invalidateQueries({ queryKey: ["contacts", "list"] });
    },
  });
}
