export { markRatingAsked, recordRatings, saveBotTurns } from "./automation.queries.ts";
export type { BotTurnRow, Overdue } from "./automation.queries.ts";
export { followBlock } from "./blocked-contact.ts";
export { createTicket, ticketToWriteIn } from "./create-ticket.ts";
export { refreshLastWords } from "./last-words.ts";
export type { Courtesy, PersonsMove } from "./tickets.courtesy.ts";
export { ticketUpdated } from "./tickets.events.ts";
export { signLinks, signView } from "./tickets.links.ts";
export { fillNames } from "./tickets.names.ts";
export { canAct, canSee, mustAct, mustSee } from "./tickets.policy.ts";
export { findTicket, lockTicket, lockTickets, lockTicketsOf } from "./tickets.queries.ts";
export type { TicketRow } from "./tickets.queries.ts";
export { conversationAt, roomsAt } from "./tickets.rooms.ts";
export {
  acceptTicket,
  closeIdleTickets,
  deleteTicket,
  readTicket,
  resolveTicket,
  returnTicket,
  transferTicket,
  transferWaitingTickets,
  updateTicket,
  visibleTicket,
} from "./tickets.service.ts";
export {
  contactSummaryJson,
  episodeJoins,
  episodeJson,
  isoText,
  readTicketViews,
  ticketJoins,
  ticketJson,
} from "./tickets.view.queries.ts";
export { lockChats, recordTraffic } from "./traffic.queries.ts";
export type { Agent, ChatTicket, Traffic } from "./traffic.queries.ts";
export { mergeTickets } from "./merge-tickets.ts";
export type { MergedTicket } from "./move-tickets.queries.ts";
export { putProduct, setTags } from "./label-ticket.ts";
export { splitTickets } from "./split-tickets.ts";
export { lockVersionsOf, rememberTickets } from "./split-tickets.queries.ts";
export type { TicketMemory } from "./split-tickets.queries.ts";
