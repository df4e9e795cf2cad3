export { findBotTicket, lockBotTicket } from "./bot-tickets.queries.ts";
export type { BotTicket } from "./bot-tickets.queries.ts";
export { saveBotTurns } from "./bot-turns.queries.ts";
export type { BotTurnRow } from "./bot-turns.queries.ts";
export { closeIdleTickets, transferWaitingTickets } from "./overdue-tickets.ts";
export type { MovedTicket, OverdueCriteria } from "./overdue-tickets.queries.ts";
export { placeTicket } from "./place-ticket.ts";
export type { TicketPlace } from "./place-ticket.ts";
export { markRatingAsked, recordRatings } from "./ratings.queries.ts";
