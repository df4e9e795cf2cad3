import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import type { Ticket } from "@prosa/contract/tickets";
import type { QueryClient } from "@tanstack/react-query";
import { kanbanKeys, putCard, refetchCards, refreshLaneCounts, staysInPlace } from "./kanban.cache.ts";

/** Places cards by socket events. Renames and deletions reach the cards by the handlers of the tickets. */
export const kanbanRealtime: RealtimeHandlers = {
  ticket: (event, queryClient) => {
    if (event.action === "update" || event.action === "reload") {
      applyCard(queryClient, event.ticket);
    } else if (event.action === "delete") {
      refreshLaneCounts(queryClient);
    }
  },
  appMessage: (event, queryClient) => {
    if (event.action === "create") {
      applyCard(queryClient, event.ticket);
    }
  },
  tag: (event, queryClient) => {
    const lanes = queryClient.getQueryData<{
      readonly lista: readonly { readonly id: number; readonly kanban: number }[];
    }>(kanbanKeys.lanes);
    void queryClient.invalidateQueries({ queryKey: kanbanKeys.lanes });
    const id = event.action === "delete" ? event.id : event.record.id;
    const isLane = event.action !== "delete" && event.record.kanban === 1;
    const wasLane = lanes?.lista.some((lane) => lane.id === id) ?? false;
    // Its cards come from the open lane, or return there.
    if (isLane !== wasLane) {
      refetchCards(queryClient);
    }
  },
};

function applyCard(queryClient: QueryClient, ticket: Ticket): void {
  const stays = staysInPlace(queryClient, ticket);
  putCard(queryClient, ticket);
  if (!stays) {
    refreshLaneCounts(queryClient);
  }
}
