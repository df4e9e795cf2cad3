import type { QueryClient } from "@tanstack/react-query";
import { refreshSessionUser } from "#web/lib/session/session.ts";

let gapAt = 0;
/** The time of a response that is to be fetched again although there was no gap. */
export const beforeAnyGap = -1;

/**
 * Reads who the user is again, whose rights or queues an admin may have changed. By the old ones events were placed until the answer,
 * so where anything had changed everything that is shown is fetched by the new ones.
 */
export async function refreshRights(queryClient: QueryClient): Promise<void> {
  if (await refreshSessionUser()) {
    await refetchAll(queryClient);
  }
}

/** Time of the last gap (ms since 1970): responses to earlier requests may miss events. */
export function lastGapAt(): number {
  return gapAt;
}

/**
 * Refetches everything that is shown, after a gap in the event stream. A first fetch in flight may be answered from before the
 * gap closed, and invalidation neither cancels nor repeats a fetch without data: it is repeated once it has completed.
 */
export async function refetchAll(queryClient: QueryClient): Promise<void> {
  gapAt = Date.now();
  const firstFetches = queryClient
    .getQueryCache()
    .findAll({ fetchStatus: "fetching", predicate: ({ state }) => state.data === undefined });

  await Promise.all([
    queryClient.invalidateQueries(),
    ...firstFetches.map(async (query) => {
      await query.fetch().catch(() => undefined); // joins the fetch in flight
      await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }),
  ]);
}
