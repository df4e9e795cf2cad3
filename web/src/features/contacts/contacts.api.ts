import { contacts, type Contact, type ContactSummary } from "@prosa/contract/contacts";
import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query";
import { ApiError } from "#web/lib/api/apiError.ts";
import { call } from "#web/lib/session/session.ts";

const lookups = ["contacts", "lookup"] as const;

const contactKeys = {
  one: (id: number) => ["contacts", "one", id] as const,
  found: (text: string) => [...lookups, text] as const,
};

/** A contact with its e-mail and extra information. */
export function contactOptions(id: number) {
  return queryOptions({
    queryKey: contactKeys.one(id),
    queryFn: ({ signal }) => call(contacts.get, { params: { id }, signal }),
  });
}

/** Puts a contact into the cache; what names no connection leaves that of the cached one. */
export function putContact(queryClient: QueryClient, contact: Contact): void {
  queryClient.setQueryData(contactOptions(contact.id).queryKey, (cached) => cached && { ...cached, ...contact });
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

/** A contact was added, changed or deleted: what pickers have found is asked for again when it is looked for next. */
export function renewLookups(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: lookups });
}

/** The contact with this number, created where there is none yet: Brazil writes one number with and without a 9. */
export async function findOrCreateContact(card: {
  readonly name: string;
  readonly number: string;
}): Promise<ContactSummary> {
  const find = async () => {
    const found = await call(contacts.lookup, { query: { searchParam: card.number.slice(-8) } });
    return found.find((contact) => !contact.isGroup && isOneNumber(contact.number, card.number));
  };
  const known = await find();
  if (known) {
    return known;
  }
  try {
    const { name, number } = card;
    return await call(contacts.create, { body: { name: nameFor(name, number), number, email: "", extraInfo: [] } });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "ERR_DUPLICATED_CONTACT")) {
      throw error;
    }
    const { contactId } = error.details;
    if (typeof contactId === "number") {
      // the contact with this number was merged into another
      return call(contacts.get, { params: { id: contactId } });
    }
    // somebody else was faster, or WhatsApp spells the number in another way
    const other = await find();
    if (!other) {
      throw error;
    }
    return other;
  }
}

/** The contract wants 2 to 50 letters. */
function nameFor(name: string, number: string): string {
  const letters = [...name.trim()].slice(0, 50).join("").trim();
  return letters.length < 2 ? number : letters;
}

function isOneNumber(one: string, other: string): boolean {
  const short = (number: string) => number.replace(/^(55\d\d)9(\d{8})$/u, "$1$2");
  return short(one) === short(other);
}
