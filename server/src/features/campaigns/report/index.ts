export { exportCsv, exportXlsx, recipientStateName, recordExport } from "./export-report.ts";
export { getCampaign, getTimeline, listRecipients } from "./report.ts";
