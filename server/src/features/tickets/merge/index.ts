export { mergeTickets } from "./merge-tickets.ts";
export type { MergedTicket } from "./merge-tickets.queries.ts";
export { splitTickets } from "./undo-ticket-merge.ts";
export { lockVersionsOf, rememberTickets } from "./undo-ticket-merge.queries.ts";
export type { TicketMemory } from "./undo-ticket-merge.queries.ts";
