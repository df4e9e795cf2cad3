import { queueIntegrations } from "@prosa/contract/queue-integrations";
import { useQuery } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime.ts";
import { createResource } from "#web/lib/resource.ts";
import { call } from "#web/lib/session.ts";

const key = "queueIntegrations";

/** The list of the screen (O-09). */
export const queueIntegrationsResource = createResource({
  key,
  list: queueIntegrations.list,
  page: ({ queueIntegrations: items, count, hasMore }) => ({ items, count, hasMore }),
  create: queueIntegrations.create,
  update: queueIntegrations.update,
  remove: queueIntegrations.remove,
});

/** Every integration by its name; asked only by those whose plan has them. */
export function useIntegrationNames(isAsked: boolean) {
  return useQuery({
    queryKey: [key, "lookup"],
    queryFn: ({ signal }) => call(queueIntegrations.lookup, { signal }),
    enabled: isAsked,
  });
}

export const queueIntegrationsRealtime: RealtimeHandlers = {
  queueIntegration: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: [key] }),
};
