import { connections, troubledStatuses, type Connection } from "@prosa/contract/connections";
import { useQuery, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { call } from "#web/lib/session/session.ts";
import { Badge } from "#web/ui/Chip.tsx";
import { appMessages } from "#web/app/app.i18n.ts";

const EVALUATED_AFTER_MS = 2_000;
const queryKey = ["connections", "states"] as const;
type State = Pick<Connection, "id" | "status">;

/** "!" when a connection needs attention (S-03): from 2 s after load, so that starting lines do not alarm, then live. */
export function ConnectionsBadge() {
  const t = useMessages(appMessages);
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTime(true), EVALUATED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);

  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<State[]> => (await call(connections.list, { signal })).map(stateOf),
  });
  const isTroubled = data?.some(({ status }) => troubledStatuses.includes(status)) ?? false;

  return isTime && isTroubled ? (
    <span title={t("needsAttention")}>
      <Badge value="!" tone="danger" />
    </span>
  ) : null;
}

registerRealtime({
  whatsapp: (event, queryClient) =>
    event.action === "delete"
      ? change(queryClient, (states) => states.filter(({ id }) => id !== event.whatsappId))
      : change(queryClient, (states) => withState(states, event.whatsapp)),
  whatsappSession: ({ session }, queryClient) => change(queryClient, (states) => withState(states, session)),
});

function change(queryClient: QueryClient, apply: (states: State[]) => State[]): void {
  queryClient.setQueryData<State[]>(queryKey, (states) => states && apply(states));
}

function withState(states: readonly State[], changed: Connection): State[] {
  return [...states.filter(({ id }) => id !== changed.id), stateOf(changed)];
}

function stateOf({ id, status }: Connection): State {
  return { id, status };
}
