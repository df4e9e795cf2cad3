export { recordTraffic, readTicket, refreshLastWords } from "./activity/index.ts";
export type { Agent, Traffic } from "./activity/index.ts";
export {
  closeIdleTickets,
  markRatingAsked,
  recordRatings,
  saveBotTurns,
  transferWaitingTickets,
} from "./automation/index.ts";
export type { BotTurnRow, Overdue } from "./automation/index.ts";
export { createTicket, lockChats, ticketToWriteIn } from "./create/index.ts";
export type { ChatTicket } from "./create/index.ts";
export { putProduct, setTags } from "./labels/index.ts";
export { lockVersionsOf, mergeTickets, rememberTickets, splitTickets } from "./merge/index.ts";
export type { MergedTicket, TicketMemory } from "./merge/index.ts";
export { acceptTicket, followBlock, resolveTicket, returnTicket, transferTicket, updateTicket } from "./move/index.ts";
export { conversationAt, roomsAt } from "./realtime/index.ts";
export { signLinks, signView } from "./sign-media-urls.ts";
export type { Courtesy, PersonsMove } from "./tickets.customer-notice.ts";
export { ticketUpdated } from "./tickets.events.ts";
export { canAct, canSee, mustAct, mustSee } from "./tickets.policy.ts";
export { findTicket, lockTicket, lockTickets, lockTicketsOf } from "./tickets.queries.ts";
export type { TicketRow } from "./tickets.queries.ts";
export { deleteTicket, visibleTicket } from "./tickets.service.ts";
export { fillNames } from "./tickets.view-names.ts";
export {
  contactSummaryJson,
  episodeJoins,
  episodeJson,
  isoText,
  readTicketViews,
  ticketJoins,
  ticketJson,
} from "./tickets.view.queries.ts";
