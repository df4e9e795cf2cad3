export { joinChatBox, joinNotification, joinTickets } from "./join-rooms.ts";
export { tellDeleted, tellRead, tellReloaded, tellUpdated } from "./publish-tickets.ts";
export { conversationAt, roomsAt } from "./socket-rooms.ts";
