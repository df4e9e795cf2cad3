import { connections, type Connection } from "@prosa/contract/connections";
import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { callOnce } from "#web/lib/api/call-once.ts";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { call } from "#web/lib/session/session.ts";
import type { Saved } from "#web/lib/records/resource.mutations.ts";

export const connectionsOptions = queryOptions({
  queryKey: ["connections", "list"],
  queryFn: ({ signal }) => call(connections.list, { signal }),
});

export function useConnections() {
  return useQuery(connectionsOptions);
}

/** Client versions that WhatsApp refuses, for the operator. Polled: no event reports what concerns the whole installation. */
export function useRefusedVersions() {
  return useQuery({
    queryKey: ["connections", "refusedVersions"],
    queryFn: ({ signal }) => call(connections.refusedVersions, { signal }),
    refetchInterval: 60_000,
    refetchOnMount: "always",
  });
}

/** Live updates of a connection: status, QR code and fields (W-03, W-05). */
export const connectionsRealtime: RealtimeHandlers = {
  whatsapp: (event, queryClient) =>
    event.action === "delete"
      ? dropConnection(queryClient, event.whatsappId)
      : changeConnection(queryClient, event.whatsapp),
  whatsappSession: ({ session }, queryClient) => putConnection(queryClient, session),
};

/** Ignores a version older than the cached one: the response to a click may arrive after the events that followed it. */
export function putConnection(queryClient: QueryClient, connection: Connection): void {
  queryClient.setQueryData(connectionsOptions.queryKey, (cached) => {
    if (!cached) {
      return cached;
    }
    const before = cached.find(({ id }) => id === connection.id);
    if (before && before.updatedAt > connection.updatedAt) {
      return cached;
    }
    const next = before
      ? cached.map((other) => (other.id === connection.id ? connection : other))
      : [...cached, connection];
    // only one connection is the default: the event of the previous default may not have arrived yet
    return connection.isDefault
      ? next.map((other) => (other.id === connection.id ? other : { ...other, isDefault: false }))
      : next;
  });
}

/** An event may be about its limits, refusals or disconnections: an open health dialog follows. */
function changeConnection(queryClient: QueryClient, connection: Connection): void {
  putConnection(queryClient, connection);
  void queryClient.invalidateQueries({ queryKey: lineHealthOptions(connection.id).queryKey });
}

function dropConnection(queryClient: QueryClient, id: number): void {
  queryClient.setQueryData(connectionsOptions.queryKey, (cached) => cached?.filter((other) => other.id !== id));
}

/** Creates without an id, updates with one. */
export function useSaveConnection() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (saved: Saved<typeof connections.create, typeof connections.update>) =>
      saved.id === undefined
        ? callOnce(connections.create, { body: saved.body })
        : call(connections.update, { params: { id: saved.id }, body: saved.body }),
    onSuccess: (connection) => putConnection(queryClient, connection),
  });
}

export function useRemoveConnection() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(connections.remove, { params: { id } }),
    onSuccess: (_, id) => dropConnection(queryClient, id),
  });
}

/** Connects again, requests a new QR or pairing code, or disconnects (W-04). */
export function useSessionAction() {
  return useMutation({
    mutationFn: ({
      id,
      verb,
      number,
    }: {
      readonly id: number;
      readonly verb: "start" | "renew" | "stop";
      readonly number?: string;
    }) => {
      if (verb === "stop") {
        return call(connections.stop, { params: { id } });
      }
      return call(connections[verb], { params: { id }, body: number === undefined ? {} : { number } });
    },
  });
}

/** Accepts the different number that was linked, or unlinks it. */
export function useResolvePendingNumber() {
  return useMutation({
    mutationFn: ({ id, accept }: { readonly id: number; readonly accept: boolean }) =>
      call(connections.number, { params: { id }, body: { accept } }),
  });
}

export function lineHealthOptions(id: number) {
  return queryOptions({
    queryKey: ["connections", "health", id],
    queryFn: ({ signal }) => call(connections.health, { params: { id }, signal }),
    staleTime: 0,
  });
}

export function lineLogOptions(id: number) {
  return queryOptions({
    queryKey: ["connections", "log", id],
    queryFn: ({ signal }) => call(connections.log, { params: { id }, signal }),
    staleTime: 0,
  });
}
