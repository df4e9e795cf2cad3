export { readLineLog } from "./history.service.ts";
export { insertLineLogEntries, pruneLineLog } from "./line-log.queries.ts";
export type { LineLogEntry } from "./line-log.queries.ts";
