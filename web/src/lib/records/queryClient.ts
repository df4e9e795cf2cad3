import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "#web/lib/api/apiError.ts";
import { onSignedOut } from "#web/lib/session/session.ts";

/** How long a response counts as fresh (ms). */
export const staleMs = 5 * 60_000;

/** Events keep the cache current, so there is no refetch on window focus. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: staleMs,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (failures, error) => failures < 2 && isTransient(error),
      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 5_000),
    },
    // Without a connection a change fails at once and says so: the library would keep it, and make it when much has changed.
    mutations: { retry: false, networkMode: "always" },
  },
});

// Clear the cache on sign-out: one user's data must not be shown to the next.
onSignedOut(() => queryClient.clear());

/** Retry only network errors and 5xx, not refused requests. */
function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.code === "network" || error.status >= 500);
}
