/** `createResource` for a noun whose list comes whole: without pages and without a search. */
import type { AnyEndpoint, ResponseOf } from "@prosa/contract/endpoint";
import { queryOptions, useMutation, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { callLoosely, removeRecord, useSaveRecord, type SaveEndpoints } from "./resource.mutations.ts";
import type { ListState, Row } from "./resource.ts";

interface UnpagedParts<
  T extends Row,
  L extends AnyEndpoint,
  C extends AnyEndpoint,
  U extends AnyEndpoint,
> extends SaveEndpoints<C, U> {
  readonly list: L;
  readonly rows: (answer: ResponseOf<L>) => readonly T[];
  readonly remove?: AnyEndpoint;
  /** No socket event reports changes, so the list is fetched again whenever it opens. */
  readonly hasNoEvents?: true;
}

export function createUnpagedResource<
  T extends Row,
  L extends AnyEndpoint,
  C extends AnyEndpoint,
  U extends AnyEndpoint,
>(parts: UnpagedParts<T, L, C, U>) {
  /** Also for pickers: they share the cache entry of the list. */
  const listOptions = queryOptions({
    queryKey: [parts.key, "list"],
    queryFn: async ({ signal }) => parts.rows(await callLoosely(parts.list, { signal })),
    ...(parts.hasNoEvents && { refetchOnMount: "always" as const }),
  });
  return {
    listOptions,
    useList: () => unpagedState(useQuery(listOptions)),
    useSave: () =>
      useSaveRecord<T, C, U>(parts, (queryClient, saved) =>
        queryClient.setQueryData(listOptions.queryKey, (rows) =>
          rows?.map((row) => (row.id === saved.id ? { ...row, ...saved } : row)),
        ),
      ),
    /** Fetches the list again after an error too: the row may be gone already. */
    useRemove() {
      const queryClient = useQueryClient();
      return useMutation({
        mutationFn: (id: number) => removeRecord(parts.key, parts.remove, id),
        onSettled: () => queryClient.invalidateQueries({ queryKey: [parts.key] }),
      });
    },
  };
}

/** What a list screen shows of a query whose answer is the whole list. */
export function unpagedState<T extends Row>(query: UseQueryResult<readonly T[]>): ListState<T> {
  return {
    rows: query.data ?? [],
    count: query.data?.length,
    isLoading: query.isPending,
    error: query.error,
    onRetry: () => void query.refetch(),
  };
}
