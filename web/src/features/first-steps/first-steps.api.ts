import { firstStepNames, firstStepsCalls, type FirstStep, type FirstSteps } from "@prosa/contract/first-steps";
import { queryOptions, useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { call } from "#web/lib/session/session.ts";

export const firstStepsOptions = queryOptions({
  queryKey: ["first-steps"],
  queryFn: ({ signal }) => call(firstStepsCalls.get, { signal }),
  // Done once is done: a company that has all is not asked for again.
  staleTime: ({ state }) => (state.data && areDone(state.data) ? Infinity : 0),
});

export function areDone(steps: FirstSteps): boolean {
  return firstStepNames.every((name) => steps[name]);
}

/** Hides the list, or shows it again. */
export function useHideFirstSteps() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (isHidden: boolean) => call(firstStepsCalls.hide, { body: { isHidden } }),
    onSuccess: (steps) => queryClient.setQueryData(firstStepsOptions.queryKey, steps),
  });
}

/** A step may have been done, here or by somebody else. */
function lookFor(...names: readonly FirstStep[]) {
  return (_: unknown, queryClient: QueryClient): void => {
    const known = queryClient.getQueryData(firstStepsOptions.queryKey);
    if (known && names.some((name) => !known[name])) {
      void queryClient.invalidateQueries({ queryKey: firstStepsOptions.queryKey });
    }
  };
}

export const firstStepsRealtime: RealtimeHandlers = {
  whatsapp: lookFor("line"),
  whatsappSession: lookFor("line"),
  appMessage: lookFor("message"),
  ticket: lookFor("message"),
  user: lookFor("colleague"),
  queue: lookFor("queue"),
};
