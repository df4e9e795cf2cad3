export { createIntegrationDriver, protocolOf } from "./integration-driver.ts";
export type { IntegrationOptions } from "./integration-driver.ts";
export { forgetContexts, restoreSessions, snapshotSessions, takeOverSession } from "./sessions.queries.ts";
export type { SessionSnapshot } from "./sessions.queries.ts";
