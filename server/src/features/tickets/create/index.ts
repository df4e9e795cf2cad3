export { createTicket } from "./create-ticket.ts";
export { findOrCreateOutboundTicket } from "./find-or-create-outbound-ticket.ts";
export { chatTicketColumns, createReservedTicket, findOrCreateTickets } from "./find-or-create-tickets.queries.ts";
export type { ChatTicket } from "./find-or-create-tickets.queries.ts";
export { deleteUnwrittenTickets, lockOutboundTickets } from "./outbound-tickets.queries.ts";
