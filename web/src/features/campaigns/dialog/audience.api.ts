/** Who receives a campaign: lists and tags to choose from, how many contacts they have, and some of those for the preview. */
import type { CampaignContact } from "@prosa/contract/campaign-texts";
import type { AnyEndpoint } from "@prosa/contract/endpoint";
import { campaigns } from "@prosa/contract/campaigns";
import { tickets } from "@prosa/contract/tickets";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { callLoosely } from "#web/lib/records/resource.mutations.ts";
import { call } from "#web/lib/session/session.ts";

export type Audience = { readonly kind: "list" | "tag"; readonly id: number };

/** Of a contact list what the form shows. */
interface ContactListChoice {
  readonly id: number;
  readonly name: string;
  readonly contactsCount: number;
  /** Numbers that were checked and are not on WhatsApp. */
  readonly invalidCount: number;
}

/** The calls of specification 2 section 7 that a campaign reads lists by. */
const contactLists = { ...campaigns.list, path: "/contact-lists/list" } as AnyEndpoint;
const contactListItems = { ...campaigns.list, path: "/contact-list-items" } as AnyEndpoint;

/** Every contact list of the company, for the field. */
export const contactListChoices = queryOptions({
  queryKey: ["campaigns", "contactLists"],
  queryFn: async ({ signal }) => (await callLoosely(contactLists, { signal })) as readonly ContactListChoice[],
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
  return (await callLoosely(contactListItems, { query: { contactListId, pageNumber }, signal })) as Page;
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
