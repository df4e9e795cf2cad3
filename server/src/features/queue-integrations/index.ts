export { createIntegration } from "./queue-integrations.service.ts";
