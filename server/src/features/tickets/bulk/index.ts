export { actOnTickets } from "./act-on-tickets.ts";
export { BULK_NOTICE_TASK, sendBulkNotice } from "./bulk-notices.jobs.ts";
export { undoBulk } from "./undo-bulk.ts";
