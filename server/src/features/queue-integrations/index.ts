export { createIntegrationDriver, takeOverSession } from "./answer/index.ts";
export type { IntegrationOptions } from "./answer/index.ts";
export { moveCallsOfTicket } from "./calls/index.ts";
export { snapshotIntegrations, undoIntegrationMerge } from "./integration-merge.ts";
export type { IntegrationsSnapshot } from "./integration-merge.ts";
export { createIntegration } from "./queue-integrations.service.ts";
