export { createLineHost } from "./driver-host.ts";
export type { Ingest, ProductHost, TypingListener } from "./driver-host.ts";
export { pruneSentPayloads, sealedLines } from "./line-store.queries.ts";
