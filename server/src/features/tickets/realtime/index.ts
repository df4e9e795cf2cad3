export { joinChatBox, joinNotification, joinTickets } from "./join-rooms.ts";
export {
  publishTicketDeleted,
  publishTicketRead,
  publishTicketReloaded,
  publishTicketUpdated,
} from "./publish-tickets.ts";
export { publishTicketTransferred } from "./publish-transfers.ts";
export { conversationRooms, ticketRooms } from "./socket-rooms.ts";
