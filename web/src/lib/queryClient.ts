import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./apiError.ts";
import { onSignedOut } from "./session.ts";

/** So long an answer is taken for right without being asked for again. */
export const staleMs = 5 * 60_000;

/** Events keep the cache right, so nothing is fetched again because a window got the focus. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: staleMs,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (failures, error) => failures < 2 && mayPass(error),
      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 5_000),
    },
    mutations: { retry: false },
  },
});

// What one person saw is never shown to the next one at the same desk.
onSignedOut(() => queryClient.clear());

/** Is it the road, and not our question, that was bad? */
function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.code === "network" || error.status >= 500);
}
