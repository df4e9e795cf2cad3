/**
 * Declares the data access of a noun that is a list with a form: pages, save, delete, and updates by events.
 *
 *     export const queuesResource = createResource({
 *       key: "queues", list: queues.list, items: (page) => page, …
 *     });
 */
import type { AnyEndpoint, QueryIn, ResponseOf } from "@prosa/contract/endpoint";
import {
  infiniteQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from "@tanstack/react-query";
import { callLoosely, removeRecord, useSaveRecord, type SaveEndpoints } from "./resource.mutations.ts";

export interface Row {
  readonly id: number;
}

/** One page, whatever the endpoint calls its items. */
export interface Page<T extends Row> {
  readonly items: readonly T[];
  readonly count: number;
  readonly hasMore: boolean;
}

/** What a list screen shows. */
export interface ListState<T extends Row> {
  readonly rows: readonly T[];
  readonly count: number | undefined;
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly hasMore?: boolean;
  readonly isLoadingMore?: boolean;
  readonly onMore?: () => void;
}

/** The part of a resource that a RecordList needs. */
export interface RecordSource<T extends Row> {
  readonly useList: (filters: Filters) => ListState<T>;
  readonly useRemove: () => {
    readonly mutate: (
      id: number,
      then: { readonly onSuccess: () => void; readonly onError: (error: unknown) => void },
    ) => void;
  };
}

export interface ResourceParts<
  T extends Row,
  L extends AnyEndpoint,
  C extends AnyEndpoint,
  U extends AnyEndpoint,
> extends SaveEndpoints<C, U> {
  readonly list: L;
  readonly page: (answer: ResponseOf<L>) => Page<T>;
  readonly remove?: AnyEndpoint;
  /** Whether a new row is added to the start of the list (the default) or to its end. */
  readonly newest?: "first" | "last";
  /** No socket event reports changes, so the list is fetched again whenever it opens. */
  readonly hasNoEvents?: true;
}

type Filters = Readonly<Record<string, string | number | boolean | undefined>>;
type Pages<T extends Row> = InfiniteData<Page<T>, number>;

export function createResource<T extends Row, L extends AnyEndpoint, C extends AnyEndpoint, U extends AnyEndpoint>(
  parts: ResourceParts<T, L, C, U>,
) {
  const listOptions = (filters: Filters = {}) =>
    infiniteQueryOptions({
      queryKey: [parts.key, "list", filters],
      queryFn: async ({ pageParam, signal }) => {
        const query = { ...filters, pageNumber: pageParam } as QueryIn<L>;
        return parts.page(await callLoosely(parts.list, { query, signal }));
      },
      initialPageParam: 1,
      getNextPageParam: (last: Page<T>, all) => (last.hasMore ? all.length + 1 : undefined),
    });

  /** Replaces a row in the cached lists, or adds it to those without a filter. */
  function put(queryClient: QueryClient, row: T): void {
    for (const [queryKey, data] of queryClient.getQueriesData<Pages<T>>({ queryKey: [parts.key, "list"] })) {
      if (data) {
        queryClient.setQueryData<Pages<T>>(queryKey, putRow(data, row, isFiltered(queryKey), parts.newest ?? "first"));
      }
    }
  }

  function drop(queryClient: QueryClient, id: number): void {
    queryClient.setQueriesData<Pages<T>>({ queryKey: [parts.key, "list"] }, (data) => data && dropRow(data, id));
  }

  return {
    key: parts.key,
    listOptions,
    put,
    drop,
    /** Rows of all pages so far. */
    useList(filters: Filters = {}): ListState<T> {
      const query = useInfiniteQuery({
        ...listOptions(filters),
        ...(parts.hasNoEvents && { refetchOnMount: "always" as const }),
      });
      const pages = query.data?.pages ?? [];
      return {
        rows: pages.flatMap((page) => page.items),
        count: pages[0]?.count,
        hasMore: query.hasNextPage,
        isLoading: query.isPending,
        isLoadingMore: query.isFetchingNextPage,
        error: query.error,
        onMore: () => void query.fetchNextPage(),
        onRetry: () => void query.refetch(),
      };
    },
    useSave: () => useSaveRecord(parts),
    useRemove() {
      const queryClient = useQueryClient();
      return useMutation({
        mutationFn: (id: number) => removeRecord(parts.key, parts.remove, id),
        onSuccess: (_, id) => drop(queryClient, id),
      });
    },
  };
}

/** Pure: replaces a known row; adds an unknown one at the edge, but not to a filtered list, which it may not match. */
export function putRow<T extends Row>(data: Pages<T>, row: T, isFiltered: boolean, edge: "first" | "last"): Pages<T> {
  const isKnown = data.pages.some((page) => page.items.some(({ id }) => id === row.id));
  if (isKnown) {
    const replace = (items: readonly T[]) => items.map((item) => (item.id === row.id ? row : item));
    return { ...data, pages: data.pages.map((page) => ({ ...page, items: replace(page.items) })) };
  }
  const last = data.pages.length - 1;
  const at = edge === "first" ? 0 : last;
  if (isFiltered || (edge === "last" && data.pages[last]?.hasMore)) {
    return data;
  }
  const pages = data.pages.map((page, index) => ({
    ...page,
    count: page.count + 1,
    items: index !== at ? page.items : edge === "first" ? [row, ...page.items] : [...page.items, row],
  }));
  return { ...data, pages };
}

/** Pure: removes the row and lowers the count. */
export function dropRow<T extends Row>(data: Pages<T>, id: number): Pages<T> {
  const isKnown = data.pages.some((page) => page.items.some((item) => item.id === id));
  if (!isKnown) {
    return data;
  }
  const pages = data.pages.map((page) => ({
    ...page,
    count: page.count - 1,
    items: page.items.filter((item) => item.id !== id),
  }));
  return { ...data, pages };
}

function isFiltered(queryKey: readonly unknown[]): boolean {
  const filters = queryKey[2];
  return (
    typeof filters === "object" &&
    filters !== null &&
    Object.values(filters).some((value) => value !== undefined && value !== "")
  );
}
