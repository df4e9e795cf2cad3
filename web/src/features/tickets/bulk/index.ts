export { actOnTickets, mostFrequentRefusal, undoBulk } from "./bulk.api.ts";
export { bulkMessages } from "./bulk.i18n.ts";
export { focusedTicketId, useTicketSelection, type TicketSelection } from "./selection.ts";
