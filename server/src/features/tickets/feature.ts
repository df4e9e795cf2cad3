import type { Feature } from "#server/platform/feature.ts";
import { joinChatBox, joinNotification, joinTickets, tellDeleted, tellRead, tellUpdated } from "./tickets.realtime.ts";
import { ticketRoutes } from "./tickets.routes.ts";

export const feature: Feature = {
  name: "tickets",
  routes: ticketRoutes,
  events: ({ media }) => ({
    "ticket.updated": tellUpdated(media),
    "ticket.deleted": tellDeleted,
    "ticket.unread": tellRead,
  }),
  joins: () => ({ joinTickets, joinChatBox, joinNotification }),
};
