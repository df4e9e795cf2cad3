export { mergeTickets } from "./merge-tickets.ts";
export { mergeTicket } from "./merge-tickets.queries.ts";
export type { MergedTicket } from "./merge-tickets.queries.ts";
export { rebuildPartedTickets, undoTicketMerge } from "./undo-ticket-merge.ts";
export { lockTicketVersions, snapshotTickets } from "./undo-ticket-merge.queries.ts";
export type { TicketSnapshot } from "./undo-ticket-merge.queries.ts";
