export { actOnTickets, undoBulk } from "./bulk.ts";
export { BULK_NOTICE_TASK, sendBulkNotice } from "./bulk-notices.jobs.ts";
