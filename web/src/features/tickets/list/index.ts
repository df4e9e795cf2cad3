export { focusActiveRow, focusRow } from "./row-focus.ts";
export { ticketListOptions } from "./ticket-list.api.ts";
export { TicketListView } from "./TicketListView.tsx";
