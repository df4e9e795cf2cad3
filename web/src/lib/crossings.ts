/**
 * What if an event comes while a fetch is on its way?
 *
 * The event patches the cache, then the answer lands and overwrites it with what was read before. So an event that crosses a fetch is
 * told again when that fetch has landed. Handlers put newest views by version, so being told twice changes nothing.
 */
import type { QueryClient } from "@tanstack/react-query";

interface Crossing {
  readonly tell: () => void;
  readonly awaits: Set<string>;
}

/** Watches a cache; `note(tell)` after each event. */
export function watchCrossings(queryClient: QueryClient): { readonly note: (tell: () => void) => void } {
  const cache = queryClient.getQueryCache();
  let crossings: readonly Crossing[] = [];

  cache.subscribe(({ type, query }) => {
    if (
      crossings.length === 0 ||
      (type !== "updated" && type !== "removed") ||
      query.state.fetchStatus === "fetching"
    ) {
      return;
    }
    const landed = crossings.filter(({ awaits }) => awaits.delete(query.queryHash));
    crossings = crossings.filter(({ awaits }) => awaits.size > 0);
    landed.forEach(({ tell }) => tell());
  });

  return {
    note(tell) {
      const inFlight = cache.findAll({ fetchStatus: "fetching" }).map(({ queryHash }) => queryHash);
      if (inFlight.length > 0) {
        crossings = [...crossings, { tell, awaits: new Set(inFlight) }];
      }
    },
  };
}
