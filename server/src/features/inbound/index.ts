export { belongings } from "./belongings.ts";
export { contactBook } from "./contact-book.ts";
export { createIngest } from "./ingest.ts";
export type { InboundDeps } from "./ingest.ts";
