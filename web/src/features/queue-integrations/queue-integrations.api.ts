import { queueIntegrations } from "@prosa/contract/queue-integrations";
import { useQuery } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { createResource } from "#web/lib/records/resource.ts";
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

export const queueIntegrationsRealtime: RealtimeHandlers = {
  queueIntegration: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: [key] }),
};
