export { createIngest } from "./ingest.ts";
export type { InboundDeps } from "./ingest.ts";
