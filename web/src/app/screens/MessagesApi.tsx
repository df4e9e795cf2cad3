import { connectionsRealtime, useConnections } from "#web/features/connections/index.ts";
import { MessagesApiGuide } from "#web/features/messages-api/index.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { ErrorState } from "#web/ui/states.tsx";

registerRealtime(connectionsRealtime);

/** /messages-api, for admins of companies whose plan has the external API. */
export function MessagesApi() {
  const { data, error, refetch } = useConnections();
  return error && !data ? (
    <ErrorState error={error} onRetry={() => void refetch()} />
  ) : (
    <MessagesApiGuide connections={data ?? []} />
  );
}
