/** Who receives a campaign: lists and tags to choose from, how many contacts they have, and some of those for the preview. */
import type { CampaignContact } from "@prosa/contract/campaign-texts";
import { contactListItems, contactLists } from "@prosa/contract/contact-lists";
import { tickets } from "@prosa/contract/tickets";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "#web/lib/session/session.ts";

export type Audience = { readonly kind: "list" | "tag"; readonly id: number };

/** Every contact list of the company, for the field. */
export const contactListChoices = queryOptions({
  queryKey: ["campaigns", "contactLists"],
  queryFn: ({ signal }) => call(contactLists.lookup, { signal }),
  staleTime: 0,
});

interface Page {
  readonly contacts: readonly CampaignContact[];
  readonly count: number;
  readonly hasMore: boolean;
}

/** The contacts of a list, or of the conversations with a tag, a page at a time. */
export const audienceContacts = ({ kind, id }: Audience) =>
  infiniteQueryOptions({
    queryKey: ["campaigns", "audience", kind, id],
    queryFn: async ({ pageParam, signal }): Promise<Page> =>
      kind === "list" ? listPage(id, pageParam, signal) : tagPage(id, pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: (last: Page, all) => (last.hasMore ? all.length + 1 : undefined),
    staleTime: 0,
  });

async function listPage(contactListId: number, pageNumber: number, signal: AbortSignal): Promise<Page> {
  return call(contactListItems.list, { query: { contactListId, pageNumber }, signal });
}

async function tagPage(id: number, pageNumber: number, signal: AbortSignal): Promise<Page> {
  const query = { tags: JSON.stringify([id]), showAll: "true", pageNumber } as const;
  const page = await call(tickets.list, { query, signal });
  return {
    contacts: page.tickets.flatMap(({ contact, isGroup }) => (isGroup ? [] : [contact])),
    count: page.count,
    hasMore: page.hasMore,
  };
}
