export { mergeTickets } from "./merge-tickets.ts";
export type { MergedTicket } from "./merge-tickets.queries.ts";
export { undoTicketMerge } from "./undo-ticket-merge.ts";
export { lockTicketVersions, snapshotTickets } from "./undo-ticket-merge.queries.ts";
export type { TicketSnapshot } from "./undo-ticket-merge.queries.ts";
