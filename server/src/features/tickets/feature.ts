import type { Feature } from "#server/platform/feature.ts";
import { BULK_NOTICE_TASK, sendBulkNotice } from "./bulk/index.ts";
import type { SendCustomerNotice } from "./tickets.customer-notice.ts";
import {
  joinChatBox,
  joinNotification,
  joinTickets,
  publishTicketDeleted,
  publishTicketRead,
  publishTicketReloaded,
  publishTicketUpdated,
} from "./realtime/index.ts";
import { ticketRoutes } from "./tickets.routes.ts";

/** With what is said to contacts when people move their tickets. */
export function ticketsFeature({ courtesy }: { readonly courtesy: SendCustomerNotice }): Feature {
  return {
    name: "tickets",
    routes: (api) => ticketRoutes(api, courtesy),
    renamedTasks: [BULK_NOTICE_TASK],
    tasks: () => ({ [BULK_NOTICE_TASK.name]: sendBulkNotice(courtesy) }),
    events: ({ media }) => ({
      "ticket.updated": publishTicketUpdated(media),
      "ticket.deleted": publishTicketDeleted,
      "ticket.unread": publishTicketRead,
      "ticket.reloaded": publishTicketReloaded(media),
    }),
    joins: () => ({ joinTickets, joinChatBox, joinNotification }),
  };
}

/** A desk of few words. */
export const feature = ticketsFeature({ courtesy: async () => undefined });
