export type { TicketList, Viewer } from "./ticket-lists.ts";
export { focusedRow, useChoosing, type Choosing } from "./choosing.ts";
export { actOnTickets, refusalOf, undoBulk } from "./bulk.api.ts";
export { bulkMessages } from "./bulk.i18n.ts";
export { canAct, canWrite } from "./ticket-lists.ts";
export { TicketHeader, verbsOf } from "./TicketHeader.tsx";
export { TicketListView } from "./TicketListView.tsx";
export {
  episodesOptions,
  ticketCountsOptions,
  ticketListOptions,
  ticketOptions,
  useCreateTicket,
  useDeleteTicket,
  useTicketVerb,
  useTransferTicket,
  type TicketVerb,
} from "./tickets.api.ts";
export { lastMessageText } from "./last-message.ts";
export { ticketMessages } from "./tickets.i18n.ts";
export { changeTickets, ticketInLists, viewerOf } from "./tickets.cache.ts";
export { ticketsRealtime } from "./tickets.realtime.ts";
