export { focusActiveRow } from "./row-focus.ts";
export { ticketListOptions } from "./ticket-list.api.ts";
export { TicketListView } from "./TicketListView.tsx";
