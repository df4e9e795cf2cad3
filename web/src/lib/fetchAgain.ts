import type { QueryClient } from "@tanstack/react-query";

/**
 * Fetches again whatever is shown, as after a gap in what the live line told. A first fetch under way may have been answered
 * from before the gap closed, and invalidating neither stops nor repeats a fetch that has no data yet: it is repeated once
 * it has landed.
 */
export async function fetchAgain(queryClient: QueryClient): Promise<void> {
  const firstFetches = queryClient
    .getQueryCache()
    .findAll({ fetchStatus: "fetching", predicate: ({ state }) => state.data === undefined });

  await Promise.all([
    queryClient.invalidateQueries(),
    ...firstFetches.map(async (query) => {
      await query.fetch().catch(() => undefined); // the one under way
      await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }),
  ]);
}
