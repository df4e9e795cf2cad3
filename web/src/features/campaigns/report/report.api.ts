import { campaigns, type Campaign, type Recipient, type RecipientState } from "@prosa/contract/campaigns";
import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { pagingOf, type ListState } from "#web/lib/records/resource.ts";
import { downloadFile } from "#web/lib/session/downloads.ts";
import { call } from "#web/lib/session/session.ts";
import { campaignKeys } from "../campaigns.api.ts";

/** So often a report that is open asks for what no event carries, while the campaign is sent. */
const LIVE_MS = 10_000;
/** Of a longer list only what is fetched anew by the person: each page is a call. */
const LIVE_PAGES = 3;

type Status = Campaign["status"];

export const timelineOptions = (id: number, status: Status | undefined) =>
  queryOptions({
    queryKey: campaignKeys.timeline(id),
    queryFn: ({ signal }) => call(campaigns.timeline, { params: { id }, signal }),
    refetchInterval: status === "EM_ANDAMENTO" ? LIVE_MS : false,
    staleTime: 0,
  });

export interface RecipientFilter {
  readonly searchParam: string;
  readonly state: RecipientState | "";
}

const recipientOptions = (id: number, status: Status | undefined, filter: RecipientFilter) =>
  infiniteQueryOptions({
    queryKey: [...campaignKeys.recipients(id), filter],
    queryFn: ({ pageParam, signal }) =>
      call(campaigns.recipients, { params: { id }, query: { ...filter, pageNumber: pageParam }, signal }),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (last.hasMore ? all.length + 1 : undefined),
    refetchInterval: ({ state }) =>
      status === "EM_ANDAMENTO" && (state.data?.pages.length ?? 0) <= LIVE_PAGES ? LIVE_MS : false,
    staleTime: 0,
  });

/** The contacts of a campaign with their results, a page at a time (K-07). */
export function useRecipients(id: number, status: Status | undefined, filter: RecipientFilter): ListState<Recipient> {
  const query = useInfiniteQuery(recipientOptions(id, status, filter));
  const pages = query.data?.pages ?? [];
  return {
    rows: pages.flatMap(({ records }) => records),
    count: pages[0]?.count,
    ...pagingOf(query),
  };
}

/** Downloads the contacts with their results. */
export function useExport(campaign: Pick<Campaign, "id" | "name">) {
  return useMutation({
    mutationFn: (format: "csv" | "xlsx") =>
      downloadFile(campaigns.export, { params: { id: campaign.id }, query: { format } }, `${campaign.name}.${format}`),
  });
}
