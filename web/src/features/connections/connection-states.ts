import { connections, troubledStatuses, type Connection } from "@prosa/contract/connections";
import { queryOptions, useQuery, type QueryClient } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { call } from "#web/lib/session/session.ts";

/** What everybody may know of a line: which it is, and whether it works. */
export type LineState = Pick<Connection, "id" | "name" | "status" | "number" | "reason" | "provider" | "health">;

export const connectionStatesOptions = queryOptions({
  queryKey: ["connections", "states"],
  queryFn: async ({ signal }): Promise<readonly LineState[]> => (await call(connections.list, { signal })).map(stateOf),
});

/** The states of the company's lines, live; undefined until they are known. */
export function useConnectionStates(): readonly LineState[] | undefined {
  return useQuery(connectionStatesOptions).data;
}

/** Live updates of the states, on every screen. */
export const connectionStatesRealtime: RealtimeHandlers = {
  whatsapp: (event, queryClient) =>
    change(queryClient, (states) =>
      event.action === "delete"
        ? states.filter(({ id }) => id !== event.whatsappId)
        : withState(states, event.whatsapp),
    ),
  whatsappSession: ({ session }, queryClient) => change(queryClient, (states) => withState(states, session)),
};

/** Does it not work, whatever the reason (S-03)? */
export function isTroubled({ status }: Pick<LineState, "status">): boolean {
  return troubledStatuses.includes(status);
}

/**
 * Did it work before, and stopped without anybody wanting it? A line that was never linked, or that somebody disconnected,
 * is no news.
 */
export function hasFallen(line: LineState): boolean {
  return isTroubled(line) && line.number !== null && line.reason !== "stopped";
}

/** What the composer of a conversation says about its line; undefined where messages go out, or nothing is known yet. */
export function lineTrouble(
  connectionId: number | null,
  states: readonly LineState[] | undefined,
): { readonly kind: "deleted" } | { readonly kind: "down"; readonly name: string } | undefined {
  if (!states) {
    return undefined;
  }
  const line = states.find(({ id }) => id === connectionId);
  if (!line) {
    return { kind: "deleted" };
  }
  return isTroubled(line) ? { kind: "down", name: line.name } : undefined;
}

function change(queryClient: QueryClient, apply: (states: readonly LineState[]) => readonly LineState[]): void {
  queryClient.setQueryData(connectionStatesOptions.queryKey, (states) => states && apply(states));
}

function withState(states: readonly LineState[], changed: Connection): readonly LineState[] {
  return [...states.filter(({ id }) => id !== changed.id), stateOf(changed)];
}

function stateOf({ id, name, status, number, reason, provider, health }: Connection): LineState {
  return { id, name, status, number, reason, provider, health };
}
