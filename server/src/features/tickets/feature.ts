import type { Feature } from "#server/platform/feature.ts";
import { COURTESY_TASK, sayCourtesy } from "./bulk/index.ts";
import type { Courtesy } from "./tickets.customer-notice.ts";
import {
  joinChatBox,
  joinNotification,
  joinTickets,
  tellDeleted,
  tellRead,
  tellReloaded,
  tellUpdated,
} from "./realtime/index.ts";
import { ticketRoutes } from "./tickets.routes.ts";

/** With what is said to contacts when people move their tickets. */
export function ticketsFeature({ courtesy }: { readonly courtesy: Courtesy }): Feature {
  return {
    name: "tickets",
    routes: (api) => ticketRoutes(api, courtesy),
    renamedTasks: [COURTESY_TASK],
    tasks: () => ({ [COURTESY_TASK.name]: sayCourtesy(courtesy) }),
    events: ({ media }) => ({
      "ticket.updated": tellUpdated(media),
      "ticket.deleted": tellDeleted,
      "ticket.unread": tellRead,
      "ticket.reloaded": tellReloaded(media),
    }),
    joins: () => ({ joinTickets, joinChatBox, joinNotification }),
  };
}

/** A desk of few words. */
export const feature = ticketsFeature({ courtesy: async () => undefined });
