export { ticketListOptions } from "./ticket-list.api.ts";
export { TicketListView } from "./TicketListView.tsx";
