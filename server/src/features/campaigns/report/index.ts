export { exportCsv, exportXlsx } from "./export-report.ts";
export { getCampaign, getTimeline, listRecipients } from "./report.ts";
