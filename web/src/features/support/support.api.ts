import { support, type SupportState } from "@prosa/contract/support";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { call } from "#web/lib/session/session.ts";

const key = ["support"] as const;
/** While a consent lasts, its end is noticed without an event, in ms. */
const LOOK_EVERY_MS = 60_000;

/** Whether the support may enter, asks to, or is here. */
export const supportOptions = queryOptions({
  queryKey: key,
  queryFn: ({ signal }) => call(support.state, { signal }),
  refetchInterval: ({ state }) => (state.data?.grant ? LOOK_EVERY_MS : false),
});

export const supportRealtime: RealtimeHandlers = {
  support: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: key }),
};

function useStateMutation<T>(mutationFn: (value: T) => Promise<SupportState>) {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn, onSuccess: (state) => queryClient.setQueryData(key, state) });
}

type Hours = 1 | 4 | 24 | 168;

export function useAllowSupport() {
  return useStateMutation((hours: Hours) => call(support.allow, { body: { hours } }));
}

/** Takes a consent back or declines a request. */
export function useEndSupport() {
  return useStateMutation((id: number) => call(support.end, { params: { id } }));
}

export function hoursOf(text: string): Hours {
  return text === "1" ? 1 : text === "4" ? 4 : text === "24" ? 24 : 168;
}
