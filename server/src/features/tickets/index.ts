export {
  assignmentAfter,
  automaticActivitySql,
  recordTicketActivity,
  markTicketRead,
  refreshLastMessageFailure,
  refreshLastMessagePreview,
  replyWaitsFor,
  sentActivitySql,
  sentActivityValues,
  sentPreview,
} from "./activity/index.ts";
export type { Agent, SentActivity, TicketActivity } from "./activity/index.ts";
export {
  closeIdleTickets,
  findBotTicket,
  lockBotTicket,
  markRatingAsked,
  placeTicket,
  recordRatings,
  saveBotTurns,
  transferWaitingTickets,
} from "./automation/index.ts";
export type { BotTicket, BotTurnRow, MovedTicket, OverdueCriteria } from "./automation/index.ts";
export {
  chatTicketColumns,
  createTicket,
  createReservedTicket,
  deleteUnwrittenTickets,
  findOrCreateTickets,
  findOrCreateOutboundTicket,
  lockOutboundTickets,
} from "./create/index.ts";
export type { ChatTicket } from "./create/index.ts";
export { addProduct, setTags } from "./labels/index.ts";
export {
  lockTicketVersions,
  mergeTickets,
  rebuildPartedTickets,
  snapshotTickets,
  undoTicketMerge,
} from "./merge/index.ts";
export type { MergedTicket, TicketSnapshot } from "./merge/index.ts";
export {
  acceptTicket,
  applyContactBlock,
  checkTransferTarget,
  findTargets,
  resolveTicket,
  returnTicket,
  transferTicket,
  updateTicket,
} from "./move/index.ts";
export { rebuildLastMessage } from "./activity/index.ts";
export { readCachedView } from "./list/index.ts";
export { conversationRooms, ticketRooms } from "./realtime/index.ts";
export { signMediaUrls, signViewMediaUrls } from "./sign-media-urls.ts";
export type { SendCustomerNotice, TicketMoveByUser } from "./customer-notice-port.ts";
export type { MoveUnsent, RestoreWithdrawn, WithdrawPaused } from "./move/index.ts";
export { ticketReloaded, ticketUpdated } from "./tickets.events.ts";
export { canAct, canSee, mustAct, mustSee } from "./tickets.policy.ts";
export { findTicket, lockTicket, lockTickets, lockTicketsOfContacts } from "./tickets.queries.ts";
export type { TicketRow } from "./tickets.queries.ts";
export { deleteTicket, emitTicketsDeleted, visibleTicket } from "./tickets.service.ts";
export {
  contactSummaryJson,
  episodeColumns,
  isoText,
  objectJson,
  openedTicketJson,
  readTicketViews,
  readViewsToPublish,
  ticketVersion,
} from "./tickets.view.queries.ts";
export { isViewKept } from "./tickets.view-cache.ts";
export { fillNames } from "./tickets.view-names.ts";
export {
  findOutdatedTickets,
  refreshMovedTicket,
  refreshMovedTickets,
  saveMovedStates,
} from "./moved-tickets.queries.ts";
export type { MovedState } from "./moved-tickets.queries.ts";
