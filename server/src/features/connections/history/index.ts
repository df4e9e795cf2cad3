export { readLineLog } from "./history.service.ts";
export { insertLineNotes, pruneLineLog } from "./line-log.queries.ts";
export type { LineNote } from "./line-log.queries.ts";
