/**
 * Declares the data access of a noun that is a list with a form: pages, save, delete, and updates by events.
 *
 *     export const queuesResource = createResource({
 *       key: "queues", list: queues.list, items: (page) => page, …
 *     });
 */
import { pageSize } from "@prosa/contract/common";
import type { AnyEndpoint, QueryIn, ResponseOf } from "@prosa/contract/endpoint";
import {
  infiniteQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
  type QueryState,
  type UseInfiniteQueryResult,
} from "@tanstack/react-query";
import { keepInvalidated } from "./keep-invalidated.ts";
import { callLoosely, removeRecord, useSaveRecord, type SaveEndpoints } from "./resource.mutations.ts";

export interface Row {
  readonly id: number;
}

/** One page, whatever the endpoint calls its items. */
export interface Page<T extends Row> {
  readonly items: readonly T[];
  readonly count: number;
  readonly hasMore: boolean;
  /** Rows that left the list since this page, the last one, was fetched: the server's pages moved up by as many. */
  readonly gone?: number;
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
  readonly hasMoreFailed?: boolean;
  readonly onMore?: () => void;
}

/** The part of a resource that a RecordList needs. */
export interface RecordSource<T extends Row> {
  readonly useList: (filters: Filters) => ListState<T>;
  readonly useRemove: () => { readonly mutateAsync: (id: number) => Promise<unknown> };
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
  /** Rows of a page of the server; 20 by default. */
  readonly pageSize?: number;
  /** The server sorts by id, the newest first, so a new row's place is known. Of another order only the server knows it. */
  readonly isNewestFirst?: true;
  /** No socket event reports changes, so the list is fetched again whenever it opens. */
  readonly hasNoEvents?: true;
}

type Filters = Readonly<Record<string, string | number | boolean | undefined>>;
type Pages<T extends Row> = InfiniteData<Page<T>, number>;

export function createResource<T extends Row, L extends AnyEndpoint, C extends AnyEndpoint, U extends AnyEndpoint>(
  parts: ResourceParts<T, L, C, U>,
) {
  const lists = { queryKey: [parts.key, "list"] } as const;
  /** Deleted rows that were shown: their event finds none of them, and says nothing new. */
  const dropped = new Set<number>();

  const listOptions = (filters: Filters = {}) =>
    infiniteQueryOptions({
      queryKey: [...lists.queryKey, filters],
      queryFn: async ({ pageParam, signal }) => {
        const query = { ...filters, pageNumber: pageParam } as QueryIn<L>;
        return parts.page(await callLoosely(parts.list, { query, signal }));
      },
      initialPageParam: 1,
      getNextPageParam: nextPageOf<T>(parts.pageSize ?? pageSize.others),
    });

  /** Changes each cached list; one for which that is not possible is fetched again. */
  function change(queryClient: QueryClient, to: (data: Pages<T>, isFiltered: boolean) => Pages<T> | "unknown"): void {
    for (const [queryKey, data] of queryClient.getQueriesData<Pages<T>>(lists)) {
      const changed = data && to(data, isFiltered(queryKey));
      if (changed === "unknown") {
        // not cancelled, or a run of events would never let a fetch end: the socket repeats what came during one (fetchRaces)
        void queryClient.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
      } else if (changed !== data) {
        keepInvalidated(queryClient, () => queryClient.setQueryData<Pages<T>>(queryKey, changed));
      }
    }
  }

  /** Shows a changed row wherever it is known. */
  function put(queryClient: QueryClient, row: T): void {
    change(queryClient, (data, filtered) =>
      parts.isNewestFirst && !filtered ? putNewestFirst(data, row) : putRow(data, row),
    );
  }

  /** Shows a new row. A list that does not know it is fetched again, unless the row's place is known. */
  function add(queryClient: QueryClient, row: T): void {
    if (parts.isNewestFirst) {
      put(queryClient, row);
    } else {
      change(queryClient, (data) => (isKnown(data, row.id) ? putRow(data, row) : "unknown"));
    }
  }

  /** Removes a deleted row. A list that may have it on a later page is fetched again, for its count. */
  function drop(queryClient: QueryClient, id: number): void {
    const isTold = dropped.has(id);
    change(queryClient, (data) => {
      const hasMore = data.pages.at(-1)?.hasMore;
      if (!isKnown(data, id)) {
        return hasMore && !isTold ? "unknown" : data;
      }
      dropped.add(id);
      const left = dropRow(data, id);
      // without a row there is nothing to scroll to the next page
      return hasMore && rowsOf(left.pages).length === 0 ? "unknown" : left;
    });
  }

  return {
    key: parts.key,
    listOptions,
    put,
    add,
    drop,
    /** Rows of all pages so far. */
    useList(filters: Filters = {}): ListState<T> {
      const query = useInfiniteQuery({
        ...listOptions(filters),
        ...(parts.hasNoEvents && { refetchOnMount: "always" as const }),
      });
      const pages = query.data?.pages ?? [];
      return {
        rows: rowsOf(pages),
        count: pages.at(-1)?.count,
        ...pagingOf(query),
      };
    },
    useSave: () =>
      useSaveRecord<T, C, U>(parts, (queryClient, saved) => change(queryClient, (data) => putRow(data, saved))),
    useRemove() {
      const queryClient = useQueryClient();
      return useMutation({
        mutationFn: (id: number) => removeRecord(parts.key, parts.remove, id),
        onSuccess: (_, id) => drop(queryClient, id),
      });
    },
  };
}

/** How a query of pages stands, and what a list screen asks of it. */
export function pagingOf(query: UseInfiniteQueryResult<unknown>) {
  return {
    isLoading: query.isPending,
    error: query.error,
    onRetry: () => void query.refetch(),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    hasMoreFailed: query.isFetchNextPageError,
    onMore: () => void query.fetchNextPage(),
  };
}

/**
 * Fetches loaded pages again every so often (ms). Not while a next page that failed is told, and can be asked for again: the
 * answer would take its error away.
 */
export function pollPages(ms: number) {
  return ({ state }: { readonly state: Pick<QueryState<unknown, Error>, "status" | "fetchMeta"> }): number | false =>
    state.status === "error" && state.fetchMeta?.fetchMore ? false : ms;
}

/**
 * The page that goes on after the last one: the next number, or an earlier one where rows are gone, because each of them moved a row
 * of the next page up into this one. What such a page repeats is known (`rowsOf`).
 */
export function nextPageOf<T extends Row>(size: number) {
  return ({ hasMore, gone = 0 }: Page<T>, _all: readonly Page<T>[], pageNumber: number): number | undefined =>
    hasMore ? Math.max(1, pageNumber + 1 - Math.ceil(gone / size)) : undefined;
}

/** Pure: the rows of all pages, each once, in its newest version. */
export function rowsOf<T extends Row>(pages: readonly Page<T>[]): readonly T[] {
  return [...new Map(pages.flatMap(({ items }) => items).map((row) => [row.id, row])).values()];
}

/** Pure: shows the fields of a row that are given where it is known. */
export function putRow<T extends Row>(data: Pages<T>, row: Partial<T> & Row): Pages<T> {
  if (!isKnown(data, row.id)) {
    return data;
  }
  const replace = (items: readonly T[]) => items.map((item) => (item.id === row.id ? { ...item, ...row } : item));
  return { ...data, pages: data.pages.map((page) => ({ ...page, items: replace(page.items) })) };
}

/** Pure: the same of a list with the newest first, to which it adds an unknown row, unless that belongs to a page that is not fetched. */
export function putNewestFirst<T extends Row>(data: Pages<T>, row: T): Pages<T> {
  const isOlder = ({ id }: T) => id < row.id;
  const before = data.pages.findIndex(({ items }) => items.some(isOlder));
  if (isKnown(data, row.id) || (before < 0 && data.pages.at(-1)?.hasMore)) {
    return putRow(data, row);
  }
  const at = before < 0 ? data.pages.length - 1 : before;
  const insert = (items: readonly T[]) => [
    ...items.filter((item) => !isOlder(item)),
    row,
    ...items.filter((item) => isOlder(item)),
  ];
  const pages = data.pages.map((page, index) => ({
    ...page,
    count: page.count + 1,
    items: index === at ? insert(page.items) : page.items,
  }));
  return { ...data, pages };
}

/** Pure: removes the row and lowers the count. */
export function dropRow<T extends Row>(data: Pages<T>, id: number): Pages<T> {
  if (!isKnown(data, id)) {
    return data;
  }
  const pages = data.pages.map((page) => ({
    ...page,
    count: page.count - 1,
    items: page.items.filter((item) => item.id !== id),
    gone: (page.gone ?? 0) + 1,
  }));
  return { ...data, pages };
}

function isKnown<T extends Row>({ pages }: Pages<T>, id: number): boolean {
  return pages.some(({ items }) => items.some((item) => item.id === id));
}

function isFiltered(queryKey: readonly unknown[]): boolean {
  const filters = queryKey[2];
  return (
    typeof filters === "object" &&
    filters !== null &&
    Object.values(filters).some((value) => value !== undefined && value !== "")
  );
}
