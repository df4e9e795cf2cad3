export type { RecordedEvent } from "./event-log.ts";
export { pruneEvents } from "./prune.ts";
export { eventsSince } from "./events-since.ts";
export type { Missed } from "./events-since.ts";
export { createTail } from "./tail.ts";
export type { Tail, TailOptions } from "./tail.ts";
export { createTailLag } from "./tail-lag.ts";
export type { TailLag } from "./tail-lag.ts";
