export { findTargets } from "./conversation.queries.ts";
export { createIntegrationDriver, protocolOf } from "./integration-driver.ts";
export type { IntegrationOptions } from "./integration-driver.ts";
export { forgetContexts } from "./sessions.queries.ts";
