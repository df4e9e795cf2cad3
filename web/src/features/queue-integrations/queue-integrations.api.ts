import { queueIntegrations } from "@prosa/contract/queue-integrations";
import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callOnce } from "#web/lib/api/call-once.ts";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { createResource, pollPages } from "#web/lib/records/resource.ts";
import type { Saved } from "#web/lib/records/resource.mutations.ts";
import { call } from "#web/lib/session/session.ts";

const key = "queueIntegrations";

/** The list of the screen, paged (O-09). */
export const queueIntegrationsResource = createResource({
  key,
  list: queueIntegrations.list,
  page: ({ queueIntegrations: items, count, hasMore }) => ({ items, count, hasMore }),
  create: queueIntegrations.create,
  update: queueIntegrations.update,
  remove: queueIntegrations.remove,
});

/** Every integration for pickers, by name; fetched only if the plan has integrations. */
export function useIntegrationNames(isEnabled: boolean) {
  return useQuery({
    queryKey: [key, "lookup"],
    queryFn: ({ signal }) => call(queueIntegrations.lookup, { signal }),
    enabled: isEnabled,
  });
}

/** Where integrations are used changes with the queues and connections that choose them. */
export const integrationUseRealtime: RealtimeHandlers = {
  queue: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: [key, "list"] }),
  whatsapp: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: [key, "list"] }),
};

export const queueIntegrationsRealtime: RealtimeHandlers = {
  queueIntegration: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: [key] }),
};

/** Adds an integration, or saves one; one that signs its calls from now on answers its secret, this once. */
export function useSaveIntegration() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (
      saved: Saved<typeof queueIntegrations.create, typeof queueIntegrations.update>,
    ): Promise<string | null> => {
      if (saved.id === undefined) {
        return (await callOnce(queueIntegrations.create, { body: saved.body })).secret;
      }
      return (await call(queueIntegrations.update, { params: { id: saved.id }, body: saved.body })).secret;
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [key] }),
  });
}

export function useRenewIntegrationSecret(id: number) {
  return useMutation({
    mutationFn: async () => (await call(queueIntegrations.renewSecret, { params: { id } })).secret,
  });
}

/** Says something to an integration as a customer would; `session` goes on where the answer before ended. */
export function useTestIntegration(id: number) {
  return useMutation({
    mutationFn: (said: { readonly text: string; readonly session: string | null }) =>
      call(queueIntegrations.test, { body: { id, ...said } }),
  });
}

const callsKey = (id: number) => [key, "calls", id];

/** The calls of an integration. Fetched again every few seconds while it is open: no event reports them. */
export function useCalls(id: number) {
  return useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: callsKey(id),
      queryFn: ({ pageParam, signal }) =>
        call(queueIntegrations.calls, { params: { id }, query: { pageNumber: pageParam }, signal }),
      initialPageParam: 1,
      getNextPageParam: (last, pages) => (last.hasMore ? pages.length + 1 : undefined),
      refetchOnMount: "always",
      refetchInterval: pollPages(3_000),
    }),
  );
}

export function useReplayCall(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (callId: number) => call(queueIntegrations.replay, { params: { id, callId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: callsKey(id) }),
  });
}
