export { fromJson, toJson } from "./bytes-json.ts";
export { Journal } from "./journal.ts";
