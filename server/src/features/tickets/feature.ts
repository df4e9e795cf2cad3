import type { Feature } from "#server/platform/feature.ts";
import { BULK_NOTICE_TASK, sendBulkNotice } from "./bulk/index.ts";
import type { SendCustomerNotice } from "./customer-notice-port.ts";
import { kanbanRoutes } from "./kanban/index.ts";
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

/** `sendCustomerNotice` notifies contacts when users move their tickets. */
export function ticketsFeature({ sendCustomerNotice }: { readonly sendCustomerNotice: SendCustomerNotice }): Feature {
  return {
    name: "tickets",
    routes: (api) => {
      ticketRoutes(api, sendCustomerNotice);
      kanbanRoutes(api);
    },
    renamedTasks: [BULK_NOTICE_TASK],
    tasks: () => ({ [BULK_NOTICE_TASK.name]: sendBulkNotice(sendCustomerNotice) }),
    events: ({ media }) => ({
      "ticket.updated": publishTicketUpdated(media),
      "ticket.deleted": publishTicketDeleted,
      "ticket.unread": publishTicketRead,
      "ticket.reloaded": publishTicketReloaded(media),
    }),
    joins: () => ({ joinTickets, joinChatBox, joinNotification }),
  };
}

/** Without customer notices: for tests. */
export const feature = ticketsFeature({ sendCustomerNotice: async () => undefined });
