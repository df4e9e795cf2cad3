import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** A burst of changes is over after so many ms. */
const BURST_MS = 400;

/**
 * Makes the function that fetches these queries again once after a burst of changes, and again after the answer where others came
 * meanwhile. To fetch again before it would cancel it: on a slow network none would ever come.
 */
export function refetchInTurn(queryKey: QueryKey): (queryClient: QueryClient) => void {
  let isAsking = false;
  let hasChanged = false;

  function refetch(queryClient: QueryClient): void {
    hasChanged = true;
    if (!isAsking) {
      isAsking = true;
      setTimeout(() => void ask(queryClient), BURST_MS);
    }
  }

  async function ask(queryClient: QueryClient): Promise<void> {
    hasChanged = false;
    // does not reject: an error is shown where the data are
    await queryClient.invalidateQueries({ queryKey });
    isAsking = false;
    if (hasChanged) {
      refetch(queryClient);
    }
  }

  return refetch;
}
