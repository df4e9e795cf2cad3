export { createLog } from "./log.ts";
export type { Logger } from "./log.ts";
