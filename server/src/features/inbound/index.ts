export { createIngest } from "./ingest.ts";
export type { InboundDeps, Ingest } from "./ingest.ts";
export type { ContactBook } from "./record-contacts.ts";
