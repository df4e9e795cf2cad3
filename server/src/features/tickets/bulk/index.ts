export { actOnTickets, undoBulk } from "./bulk.ts";
export { COURTESY_TASK, sayCourtesy } from "./bulk-notices.jobs.ts";
