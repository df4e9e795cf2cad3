export { contactMergeParticipants } from "./contact-merge-participants.ts";
export { contactResolver } from "./inbound-contact-resolver.ts";
export { createIngest } from "./ingest.ts";
export type { InboundDeps } from "./ingest.ts";
