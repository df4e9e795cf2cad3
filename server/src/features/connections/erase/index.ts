export { deleteSentPayloads, lineData } from "./erase-line-data.queries.ts";
