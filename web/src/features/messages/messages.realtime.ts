import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { messageKeys, putMessage, type MessagePages } from "./messages.cache.ts";

/** Applies socket events to the cached conversations. */
export const messagesRealtime: RealtimeHandlers = {
  appMessage: (event, queryClient) => putMessage(queryClient, event.message),
  ticket: (event, queryClient) => {
    if (event.action === "delete") {
      queryClient.removeQueries({ queryKey: messageKeys.of(event.ticketId), type: "inactive" });
    }
    if (event.action === "reload") {
      void queryClient.invalidateQueries({ queryKey: messageKeys.of(event.ticket.id) });
    }
    // a change of status begins or ends an episode: fetch the conversation, which brings the markers
    if (event.action === "update") {
      void queryClient.invalidateQueries({
        queryKey: messageKeys.of(event.ticket.id),
        predicate: ({ state }) =>
          hasOtherEpisodes(state.data as MessagePages | undefined, event.ticket.protocol, event.ticket.status),
      });
    }
  },
};

function hasOtherEpisodes(pages: MessagePages | undefined, protocol: string, status: string): boolean {
  const running = pages?.pages[0]?.episodes.find((episode) => episode.protocol === protocol);
  if (!pages) {
    return false;
  }
  const known = running === undefined ? "none" : running.finishedAt ? "closed" : running.startedAt ? "open" : "pending";
  return known !== status;
}
