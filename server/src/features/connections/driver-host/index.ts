export { createDriverHost } from "./driver-host.ts";
export type { Ingest, DriverHost, TypingListener } from "./driver-host.ts";
export { pruneSentPayloads, sealedLineColumns } from "./line-store.queries.ts";
