import type { Feature } from "#server/platform/feature.ts";
import { BULK_NOTICE_TASK, sendBulkNotice } from "./bulk/index.ts";
import { kanbanRoutes } from "./kanban/index.ts";
import type { MovePorts } from "./move/index.ts";
import {
  joinChatBox,
  joinNotification,
  joinTickets,
  publishTicketDeleted,
  publishTicketRead,
  publishTicketReloaded,
  publishTicketTransferred,
  publishTicketUpdated,
} from "./realtime/index.ts";
import { ticketRoutes } from "./tickets.routes.ts";

/** Its ports: what else happens when users move tickets. */
export function ticketsFeature(ports: MovePorts): Feature {
  return {
    name: "tickets",
    routes: (api) => {
      ticketRoutes(api, ports);
      kanbanRoutes(api);
    },
    renamedTasks: [BULK_NOTICE_TASK],
    tasks: () => ({ [BULK_NOTICE_TASK.name]: sendBulkNotice(ports.sendCustomerNotice) }),
    events: ({ media }) => ({
      "ticket.updated": publishTicketUpdated(media),
      "ticket.deleted": publishTicketDeleted,
      "ticket.unread": publishTicketRead(media),
      "ticket.reloaded": publishTicketReloaded(media),
      "ticket.transferred": publishTicketTransferred(media),
    }),
    joins: () => ({ joinTickets, joinChatBox, joinNotification }),
  };
}

/** Without its ports: for tests. */
export const noPorts: MovePorts = {
  sendCustomerNotice: async () => false,
  addTransferNote: async () => null,
  moveUnsent: () => undefined,
  joinConversation: async () => undefined,
  withdrawPaused: async () => new Map(),
  restoreWithdrawn: async () => undefined,
};
export const feature = ticketsFeature(noPorts);
