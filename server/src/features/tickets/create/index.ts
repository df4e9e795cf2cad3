export { createTicket } from "./create-ticket.ts";
export { ticketToWriteIn } from "./find-or-create-outbound-ticket.ts";
export { lockChats } from "./find-or-create-tickets.queries.ts";
export type { ChatTicket } from "./find-or-create-tickets.queries.ts";
