import { connections, type Connection, type ConnectionBody } from "@prosa/contract/connections";
import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime.ts";
import { call } from "#web/lib/session.ts";

export const connectionsOptions = queryOptions({
  queryKey: ["connections", "list"],
  queryFn: ({ signal }) => call(connections.list, { signal }),
});

export function useConnections() {
  return useQuery(connectionsOptions);
}

/** For the operator. Asked again while the page is open: a refusal is of the whole installation, no company hears of it. */
export function useRefusedVersions() {
  return useQuery({
    queryKey: ["connections", "refusedVersions"],
    queryFn: ({ signal }) => call(connections.refusedVersions, { signal }),
    refetchInterval: 60_000,
    refetchOnMount: "always",
  });
}

/** Live: state, QR and everything else of a line (W-03, W-05). */
export const connectionsRealtime: RealtimeHandlers = {
  whatsapp: (event, queryClient) =>
    event.action === "delete"
      ? dropConnection(queryClient, event.whatsappId)
      : putConnection(queryClient, event.whatsapp),
  whatsappSession: ({ session }, queryClient) => putConnection(queryClient, session),
};

/** What is older than what is known stays out: the answer to a click may come after the events that followed it. */
export function putConnection(queryClient: QueryClient, connection: Connection): void {
  queryClient.setQueryData(connectionsOptions.queryKey, (known) => {
    if (!known) {
      return known;
    }
    const before = known.find(({ id }) => id === connection.id);
    if (before && before.updatedAt > connection.updatedAt) {
      return known;
    }
    const next = before
      ? known.map((other) => (other.id === connection.id ? connection : other))
      : [...known, connection];
    // one default at a time: the event of the other one may still be on its way
    return connection.isDefault
      ? next.map((other) => (other.id === connection.id ? other : { ...other, isDefault: false }))
      : next;
  });
}

function dropConnection(queryClient: QueryClient, id: number): void {
  queryClient.setQueryData(connectionsOptions.queryKey, (known) => known?.filter((other) => other.id !== id));
}

/** Creates without an id, changes with one. */
export function useSaveConnection() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { readonly id: number | undefined; readonly body: ConnectionBody }) =>
      id === undefined ? call(connections.create, { body }) : call(connections.update, { params: { id }, body }),
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

/** Try again, new QR or pairing code, disconnect (W-04). */
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

/** Go on with the other number that was linked, or unlink it. */
export function useResolvePendingNumber() {
  return useMutation({
    mutationFn: ({ id, accept }: { readonly id: number; readonly accept: boolean }) =>
      call(connections.number, { params: { id }, body: { accept } }),
  });
}

export function lineLogOptions(id: number) {
  return queryOptions({
    queryKey: ["connections", "log", id],
    queryFn: ({ signal }) => call(connections.log, { params: { id }, signal }),
    staleTime: 0,
  });
}
