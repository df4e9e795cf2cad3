import { apiKeys, type ApiKeyBody } from "@prosa/contract/api-keys";
import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { callOnce } from "#web/lib/api/call-once.ts";
import { pagingOf } from "#web/lib/records/resource.ts";
import { call } from "#web/lib/session/session.ts";

const key = "apiKeys";

// No socket event reports the use of a key, so the list is fetched again whenever it opens.
const listOptions = infiniteQueryOptions({
  queryKey: [key, "list"],
  queryFn: ({ pageParam, signal }) => call(apiKeys.list, { query: { pageNumber: pageParam }, signal }),
  initialPageParam: 1,
  getNextPageParam: (last, pages) => (last.hasMore ? pages.length + 1 : undefined),
  refetchOnMount: "always",
});

/** The keys as a list screen shows them. */
export function useApiKeys() {
  const query = useInfiniteQuery(listOptions);
  return {
    rows: query.data?.pages.flatMap((page) => page.apiKeys) ?? [],
    count: query.data?.pages.at(-1)?.count,
    ...pagingOf(query),
  };
}

export function useMakeKey() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: ApiKeyBody) => callOnce(apiKeys.create, { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [key] }),
  });
}

export function useRevokeKey() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(apiKeys.remove, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [key] }),
  });
}
