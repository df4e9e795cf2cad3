import { webhooks, type Webhook, type WebhookBody, type WebhookChanges } from "@prosa/contract/webhooks";
import {
  infiniteQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
  type QueryClient,
} from "@tanstack/react-query";
import { callOnce } from "#web/lib/api/call-once.ts";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { createResource, pollPages } from "#web/lib/records/resource.ts";
import { call } from "#web/lib/session/session.ts";

const key = "webhooks";

export const webhooksResource = createResource({
  key,
  list: webhooks.list,
  page: ({ webhooks: items, count, hasMore }) => ({ items, count, hasMore }),
  create: webhooks.create,
  update: webhooks.update,
  remove: webhooks.remove,
});

export const webhooksRealtime: RealtimeHandlers = {
  webhook: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: [key] }),
};

/** An endpoint as the list knows it now: a colleague may have changed it since its form opened. */
export function newestOf(queryClient: QueryClient, webhook: Webhook): Webhook {
  const lists = queryClient.getQueriesData<{ readonly pages: readonly { readonly items: readonly Webhook[] }[] }>({
    queryKey: [key, "list"],
  });
  const rows = lists.flatMap(([, data]) => data?.pages.flatMap(({ items }) => items) ?? []);
  return rows.find(({ id }) => id === webhook.id) ?? webhook;
}

/** What a form saves: a new endpoint whole, or of one that exists what was changed. */
type SavedWebhook =
  { readonly id?: undefined; readonly body: WebhookBody } | { readonly id: number; readonly body: WebhookChanges };

/** Adds an endpoint, or saves one; a new one answers its secret, this once. */
export function useSaveWebhook() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (saved: SavedWebhook): Promise<string | undefined> => {
      if (saved.id === undefined) {
        return (await callOnce(webhooks.create, { body: saved.body })).secret;
      }
      await call(webhooks.update, { params: { id: saved.id }, body: saved.body });
      return undefined;
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [key] }),
  });
}

export function useRenewSecret(id: number) {
  return useMutation({ mutationFn: async () => (await call(webhooks.renewSecret, { params: { id } })).secret });
}

const deliveriesKey = (id: number) => [key, "deliveries", id];

/** What was sent to an endpoint. Fetched again every few seconds while it is open: no event reports deliveries. */
export function useDeliveries(id: number) {
  return useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: deliveriesKey(id),
      queryFn: ({ pageParam, signal }) =>
        call(webhooks.deliveries, { params: { id }, query: { pageNumber: pageParam }, signal }),
      initialPageParam: 1,
      getNextPageParam: (last, pages) => (last.hasMore ? pages.length + 1 : undefined),
      refetchOnMount: "always",
      refetchInterval: pollPages(3_000),
    }),
  );
}

/** Sends a test, or a delivery again. */
export function useDeliver(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (deliveryId: number | undefined) =>
      deliveryId === undefined
        ? call(webhooks.test, { params: { id } })
        : call(webhooks.replay, { params: { id, deliveryId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: deliveriesKey(id) }),
  });
}
