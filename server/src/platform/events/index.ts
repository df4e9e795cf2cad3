export type { RecordedEvent } from "./event-log.ts";
export { pruneEvents } from "./prune.ts";
export { eventsSince } from "./since.ts";
export type { Missed } from "./since.ts";
export { createTail } from "./tail.ts";
export type { Tail, TailOptions } from "./tail.ts";
