export {
  actOnTickets,
  bulkMessages,
  focusedTicketId,
  mostFrequentRefusal,
  undoBulk,
  useTicketSelection,
  type TicketSelection,
} from "./bulk/index.ts";
export { focusActiveRow, focusRow, ticketListOptions, TicketListView } from "./list/index.ts";
export { foundPieces, lastMessageLine, lastMessagePreview } from "./row/index.ts";
export { belongsTo, compareTickets, type TicketList } from "./ticket-lists.ts";
export { TicketHeader } from "./TicketHeader.tsx";
export {
  episodesOptions,
  ticketCountsOptions,
  ticketOptions,
  transferTargetsOptions,
  useCreateTicket,
  useDeleteTicket,
  useTicketVerb,
  useTransferTicket,
} from "./tickets.api.ts";
export {
  changeTickets,
  findIn,
  isOutdated,
  placeIn,
  ticketInLists,
  ticketKeys,
  type TicketPage,
  type TicketPages,
} from "./tickets.cache.ts";
export { ticketMessages } from "./tickets.i18n.ts";
export { allowedVerbs, canAct, canWrite, opensTicket, viewerOf, type TicketVerb } from "./tickets.policy.ts";
export { ticketsRealtime } from "./tickets.realtime.ts";
export { useRowVerb } from "./useRowVerb.ts";
