export { createIntegrationDriver } from "./answer/index.ts";
export type { IntegrationOptions } from "./answer/index.ts";
export { createIntegration } from "./queue-integrations.service.ts";
