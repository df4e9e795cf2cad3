import type { QueryClient } from "@tanstack/react-query";

let gapAt = 0;

/** Since when (ms) what was asked for is known to be right: an answer to an earlier question may lack what a gap swallowed. */
export function lastGap(): number {
  return gapAt;
}

/**
 * Fetches again whatever is shown, as after a gap in what the live line told. A first fetch under way may have been answered
 * from before the gap closed, and invalidating neither stops nor repeats a fetch that has no data yet: it is repeated once
 * it has landed.
 */
export async function fetchAgain(queryClient: QueryClient): Promise<void> {
  gapAt = Date.now();
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
