/**
 * Race between an event and a fetch in flight.
 *
 * The event patches the cache, then the response overwrites it with older data. So an event that arrives during a fetch is dispatched
 * again when that fetch has completed. Handlers keep the newest version, so a second dispatch changes nothing;
 * what they tell a person they tell once.
 */
import type { QueryClient } from "@tanstack/react-query";

interface FetchRace {
  readonly dispatchAgain: () => void;
  readonly pending: Set<string>;
}

/** Watches a query cache; call `note(dispatch)` after each event. */
export function watchFetchRaces(queryClient: QueryClient): { readonly note: (dispatchAgain: () => void) => void } {
  const cache = queryClient.getQueryCache();
  let races: readonly FetchRace[] = [];

  cache.subscribe(({ type, query }) => {
    if (races.length === 0 || (type !== "updated" && type !== "removed") || query.state.fetchStatus === "fetching") {
      return;
    }
    const completed = races.filter(({ pending }) => pending.delete(query.queryHash));
    races = races.filter(({ pending }) => pending.size > 0);
    completed.forEach(({ dispatchAgain }) => dispatchAgain());
  });

  return {
    note(dispatchAgain) {
      const inFlight = cache.findAll({ fetchStatus: "fetching" }).map(({ queryHash }) => queryHash);
      if (inFlight.length > 0) {
        races = [...races, { dispatchAgain, pending: new Set(inFlight) }];
      }
    },
  };
}
