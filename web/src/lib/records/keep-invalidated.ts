import type { QueryClient } from "@tanstack/react-query";

/**
 * Runs a change of cached data. The library takes what is set as fetched; what was to be fetched again, as after a gap that may hide
 * events, still is (N-05).
 */
export function keepInvalidated(queryClient: QueryClient, change: () => unknown): void {
  const invalidated = queryClient.getQueryCache().findAll({ predicate: ({ state }) => state.isInvalidated });
  change();
  invalidated.forEach((query) => query.invalidate());
}
